"""Judging headers by profiles of SHACL shapes, in the words and at the lines of the header.

Files and folders come in, or the runs of an archive, with a profile that says what is asked.
Each file gets a report of its findings; a `ValidationReport` prints them in every form.
"""
