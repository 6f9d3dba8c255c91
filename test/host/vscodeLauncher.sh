#!/bin/sh
# An executable in place of desktop VS Code's, for @vscode/test-electron.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec "$here/../../node_modules/.bin/node" "$here/vscodeLauncher.ts" "$@"
