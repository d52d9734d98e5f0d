#!/bin/sh
# translated.sh FILE: what Doxygen reads in place of FILE; docs/site/build.py wrote it.
exec cat "$MULTIHEAD_SITE_WORK/translated$1"
