/** The records of a run and their files: the only package that knows files of results. Described in results/README.md. */
package org.verifycycle.result;
