package org.verifycycle.result;

/** A configuration (or a whole backend, or a size) that was not measured, and why. */
public record LeftOut(String what, String reason) { }
