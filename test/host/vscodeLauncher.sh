#!/bin/sh
# Replaces the executable of desktop VS Code for @vscode/test-electron.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec "$here/../../node_modules/.bin/node" "$here/vscodeLauncher.ts" "$@"
