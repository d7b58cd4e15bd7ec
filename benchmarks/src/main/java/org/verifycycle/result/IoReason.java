package org.verifycycle.result;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file could not be read or written, in words: the message of most of Java's exceptions is the path alone. */
public final class IoReason {
    private IoReason() {
    }

    public static String of(final IOException e) {
        if (e instanceof NoSuchFileException f) {
            return "no such file or folder: " + f.getFile();
        }
        if (e instanceof AccessDeniedException f) {
            return "permission denied: " + f.getFile();
        }
        if (e instanceof FileAlreadyExistsException f) {
            return f.getFile() + " is there already";
        }
        if (e instanceof NotDirectoryException f) {
            return f.getFile() + " is no folder";
        }
        if (e instanceof FileSystemException f && f.getReason() != null) {
            return f.getReason() + ": " + f.getFile();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
