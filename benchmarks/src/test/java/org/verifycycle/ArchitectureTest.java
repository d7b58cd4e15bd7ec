package org.verifycycle;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The arrows between packages, as design.md draws them: down only. */
@AnalyzeClasses(packages = "org.verifycycle", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule arrowsGoDownOnly = layeredArchitecture().consideringOnlyDependenciesInAnyPackage("org.verifycycle..")
            .layer("cli").definedBy("org.verifycycle.cli..")
            .layer("bench").definedBy("org.verifycycle.bench..")
            .layer("plan").definedBy("org.verifycycle.plan..")
            .layer("report").definedBy("org.verifycycle.report..")
            .layer("chart").definedBy("org.verifycycle.chart..")
            .layer("economics").definedBy("org.verifycycle.economics..")
            .layer("stats").definedBy("org.verifycycle.stats..")
            .layer("policy").definedBy("org.verifycycle.policy..")
            .layer("result").definedBy("org.verifycycle.result..")
            .layer("rank").definedBy("org.verifycycle.rank..")
            .layer("collective").definedBy("org.verifycycle.collective..")
            .layer("device").definedBy("org.verifycycle.device..")
            .whereLayer("cli").mayNotBeAccessedByAnyLayer()
            .whereLayer("bench").mayOnlyBeAccessedByLayers("cli")
            .whereLayer("plan").mayOnlyBeAccessedByLayers("cli", "bench")
            .whereLayer("report").mayOnlyBeAccessedByLayers("cli", "bench", "plan")
            .whereLayer("chart").mayOnlyBeAccessedByLayers("cli", "bench", "plan", "report")
            .whereLayer("economics").mayOnlyBeAccessedByLayers("cli", "bench", "plan", "report", "chart")
            .whereLayer("stats").mayOnlyBeAccessedByLayers("cli", "bench", "plan", "report", "chart", "economics")
            .whereLayer("policy").mayOnlyBeAccessedByLayers("cli", "bench", "plan", "report", "chart", "stats")
            .whereLayer("result").mayOnlyBeAccessedByLayers("cli", "bench", "plan", "report", "chart", "economics", "stats")
            .whereLayer("rank").mayOnlyBeAccessedByLayers("cli", "bench")
            .whereLayer("collective").mayOnlyBeAccessedByLayers("cli", "bench", "plan", "report", "chart", "economics", "stats", "policy", "result", "rank");

    @ArchTest
    static final ArchRule deviceKnowsNoOther = noClasses().that().resideInAPackage("org.verifycycle.device..").should().dependOnClassesThat(
            resideInAPackage("org.verifycycle..").and(resideOutsideOfPackage("org.verifycycle.device..")));

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles = slices().matching("org.verifycycle.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyBenchKnowsJmh = noClasses().that().resideOutsideOfPackage("org.verifycycle.bench..")
            .should().dependOnClassesThat().resideInAPackage("org.openjdk.jmh..");

    @ArchTest
    static final ArchRule onlyResultKnowsJson = noClasses().that().resideOutsideOfPackage("org.verifycycle.result..")
            .should().dependOnClassesThat().resideInAPackage("com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule onlyStatsKnowsCommonsMath = noClasses().that().resideOutsideOfPackage("org.verifycycle.stats..")
            .should().dependOnClassesThat().resideInAPackage("org.apache.commons.math3..");

    @ArchTest
    static final ArchRule onlyChartKnowsXChart = noClasses().that().resideOutsideOfPackage("org.verifycycle.chart..")
            .should().dependOnClassesThat().resideInAPackage("org.knowm.xchart..");

    @ArchTest
    static final ArchRule onlyCliKnowsPicocli = noClasses().that().resideOutsideOfPackage("org.verifycycle.cli..")
            .should().dependOnClassesThat().resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule backendsDoNotKnowEachOther = slices().matching("org.verifycycle.collective.(*)..").should().notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAPackage("org.verifycycle.collective.gpu"));
}
