#!/usr/bin/env bash
# Installs a .deb of twofold into a fresh, minimal Debian and uses it there: packages/try.sh FILE.deb
set -euo pipefail
deb=$(realpath "$1")
[[ $(id -u) -eq 0 ]] || { echo "needs root to make a Debian in a folder" >&2; exit 1; }
root=$(mktemp -d)
chmod 755 "$root"  # apt downloads as a user of its own
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" > "$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
# The new system gets its packages the way this one does, and only that way.
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/. "$root/etc/apt/"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || true
cp "$deb" "$root/twofold.deb"
chroot "$root" apt-get update -qq
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /twofold.deb > "$root.log" 2>&1 ||
  { tail -20 "$root.log"; exit 1; }
chroot "$root" bash -euc '
  cd /tmp
  twofold version
  twofold data info TRIANGLE
  twofold train TRIANGLE --model wl-st -o t.model --quiet
  twofold predict t.model TRIANGLE --json > said.json
  twofold train TRIANGLE --model 2-wl-gnn --epochs 2 -o n.model --quiet
  source /usr/share/bash-completion/completions/twofold
  COMP_WORDS=(twofold tra)
  COMP_CWORD=1
  _twofold
  [[ ${COMPREPLY[0]} == train ]]
  test -s /usr/share/man/man1/twofold-train.1 -o -s /usr/share/man/man1/twofold-train.1.gz'
rm -f "$root.log"
echo "installed and used in a fresh Debian"
