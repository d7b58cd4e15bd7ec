/** picocli commands; no logic. */
package org.verifycycle.cli;
