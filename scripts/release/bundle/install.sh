#!/bin/sh
# ./install.sh [--prefix FOLDER] [--uninstall]: links the two programs into FOLDER/bin (/usr/local unless given), or
# removes these links. Programs also run without links, from the folder bin.
set -eu
home=$(dirname -- "$(readlink -f -- "$0")")
prefix=/usr/local
action=install
while [ "$#" -gt 0 ]; do
  case "$1" in
    --prefix)
      [ "$#" -gt 1 ] || { echo "install.sh: --prefix needs a folder" >&2; exit 2; }
      prefix=$2
      shift 2
      ;;
    --uninstall)
      action=uninstall
      shift
      ;;
    *)
      echo "usage: install.sh [--prefix FOLDER] [--uninstall]" >&2
      exit 2
      ;;
  esac
done
for name in attestry attestry-server; do
  link=$prefix/bin/$name
  if [ "$action" = uninstall ]; then
    if [ "$(readlink -f -- "$link")" = "$home/bin/$name" ]; then
      rm -- "$link"
      echo "removed $link"
    fi
  elif [ -e "$link" ] && [ ! -L "$link" ]; then
    echo "install.sh: $link exists and is no link; remove it first" >&2
    exit 1
  else
    mkdir -p -- "$prefix/bin"
    ln -sfn -- "$home/bin/$name" "$link"
    echo "linked $link"
  fi
done
