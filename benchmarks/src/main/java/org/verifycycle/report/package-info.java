/**
 * What a run says, for the terminal, as Markdown and as one HTML page, made from stored results alone. {@link
 * org.verifycycle.report.ReportModel} holds every sentence and number; the three writers only dress them.
 */
package org.verifycycle.report;
