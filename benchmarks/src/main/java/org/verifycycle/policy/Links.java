package org.verifycycle.policy;

/** What connects the GPUs of a group. */
public enum Links implements Named {
    /** NVLink between every pair: what both engines call fully connected. */
    NVLINK("nvlink", "full NVLink"),
    /** Anything less: one pair without NVLink is enough. */
    PCIE("pcie", "not full NVLink (PCIe)");

    private final String id;
    private final String about;

    Links(final String id, final String about) {
        this.id = id;
        this.about = about;
    }

    @Override
    public String id() {
        return id;
    }

    String about() {
        return about;
    }

    /** @throws IllegalArgumentException naming the known ones */
    public static Links parse(final String text) {
        return Named.parse(Links.class, "link", text);
    }
}
