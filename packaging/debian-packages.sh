#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debian-packages.sh: Debian's source and binary packages of a release.
#
#   debian-packages.sh RELEASE FOLDER [OPTION...]
#
# RELEASE is what make dist makes, profmem-VERSION.tar.xz; debian/ is in it. OPTIONs are those of
# dpkg-buildpackage. The packages are in FOLDER then, which must not exist.

set -eu

release=$1
folder=$2
shift 2

mkdir "$folder"
tar -xf "$release" -C "$folder"
cd "$folder/$(basename "$release" .tar.xz)"
exec dpkg-buildpackage --no-sign "$@"
