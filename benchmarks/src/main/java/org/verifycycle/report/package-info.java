/** Tables for the terminal, Markdown and the HTML page, made from stored results alone. */
package org.verifycycle.report;
