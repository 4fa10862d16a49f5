#!/bin/sh
# Compiles the TCP variant NAME and becomes the process that holds it registered (hold.c): register.sh NAME
# The files are removed before that, and also where the caller is killed meanwhile.
set -e
sources=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
clang -g -O2 -target bpf -mcpu=v3 -c "$sources/$1.bpf.c" -o "$folder/variant"
clang -O2 "$sources/hold.c" -o "$folder/hold" -lbpf
exec 8<"$folder/variant" 9<"$folder/hold"
rm -rf "$folder"
exec /proc/self/fd/9 /proc/self/fd/8
