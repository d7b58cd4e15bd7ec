package org.verifycycle.chart;

import org.verifycycle.result.Entry;
import org.verifycycle.result.RoundResult;
import org.verifycycle.result.Samples;

import java.io.IOException;

/** Gives the raw samples of one finished round. */
@FunctionalInterface
public interface SampleReader {
    /** Called only for rounds with status OK. */
    Samples read(Entry entry, RoundResult round) throws IOException;
}
