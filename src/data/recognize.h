/* SPDX-License-Identifier: MIT */
/*
 * Opens files, and recognizes the format of an input by its first bytes. Names mislead: viri is also written as .bin and .binpack, marlin as .bin.
 * Readers are strict, so hardly any bytes are records of two formats: each format decodes the first records, and the
 * one that decodes more good records than bad ones is recognized. The format of the name has precedence if it does.
 *
 * Threads: no shared state; any thread may call it.
 */
#pragma once
#include "data/reader.h"

/* Opens a file, whose name is the caller's; "-" is standard input. A null format is recognized from the first bytes, and only
   where they do not tell from the extension. Blocks are verified by the checksums beside the file, if there are any, or are
   not. Null with an error. */
DataReader *data_reader_open(const char *path, const DataFormat *format, TabiaError *error);
DataReader *data_reader_open_unverified(const char *path, const DataFormat *format, TabiaError *error);

/* Does a format decode more good records than bad ones at the beginning of an input? Of no format (null): false. */
bool data_begins_in(const DataInputStart *start, const DataFormat *format);

/* The format that an input begins in; `named`, which may be null, is that of its name. Null: no format, or several
   equally well, and none is named. */
const DataFormat *data_recognize(const DataInputStart *start, const DataFormat *named);

/* What is said of a file whose bytes are of another format than its name says. */
void data_misnamed(TabiaError *note, const char *path, const DataFormat *format, const DataFormat *named);
