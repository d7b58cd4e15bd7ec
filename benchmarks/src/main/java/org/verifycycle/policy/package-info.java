/**
 * Which all-reduce SGLang and vLLM would take, and why: their gates and their dispatch as tables of rules, each with its source.
 * Pure functions; nothing here looks at a machine.
 *
 * <p>The rules are read from {@code sgl-project/sglang} (custom_all_reduce.py, custom_all_reduce_utils.py, custom_all_reduce_v2.py,
 * configs/custom_all_reduce_v2.py, sgl-kernel's custom_all_reduce.cuh) and {@code vllm-project/vllm} (custom_all_reduce.py,
 * all_reduce_utils.py, custom_all_reduce.cuh). Both move on: a rule names the commit it was read at.
 */
package org.verifycycle.policy;
