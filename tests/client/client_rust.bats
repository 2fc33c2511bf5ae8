# SPDX-License-Identifier: GPL-2.0-or-later
# The crate: its own tests, outside profmem and under it, and as a dependency from where
# it is installed. Everything without the network.
load ../common
load client

cargo_offline()
{
   env -u MAKEFLAGS CARGO_NET_OFFLINE=true CARGO_TARGET_DIR="$programs/cargo" cargo "$@"
}

@test "the crate's tests and its documentation's" {
   cargo_offline test --locked --manifest-path "$client/rust/Cargo.toml" >log 2>&1 ||
      fail "$(cat log)"
   [ "$(grep -c '^test result: ok' log)" -eq 3 ]
   grep -q '^test result: ok. [1-9]' log
}

# cargo starts what it runs by a runner.
@test "the crate's tests under profmem" {
   local host
   host=$(rustc -vV | sed -n 's/^host: //p' | tr a-z- A-Z_)
   export "CARGO_TARGET_${host}_RUNNER=env VALGRIND_LIB=$PROFMEM_VALGRIND_LIB $VALGRIND -q
      --command-line-only=yes --tool=profmem --profmem-out-file=$PWD/report.xml"
   cargo_offline test --locked --manifest-path "$client/rust/Cargo.toml" --test requests \
      >log 2>&1 || fail "$(cat log)"
   grep -q '^test result: ok. [1-9]' log

   "$PROFMEM" validate report.xml
   xmllint --xpath "//phase[@name='numbers']" report.xml >phase
   grep -q 'instances="1" complete="yes"' phase
   xmllint --xpath "//diagnostic[@code='phase-begun-twice' and @phase='begun twice']" report.xml
}

@test "clippy and rustfmt, where they are, have nothing to say" {
   if cargo clippy --version; then
      cargo_offline clippy --locked --all-targets --manifest-path "$client/rust/Cargo.toml" -- -D warnings
   fi
   if cargo fmt --version; then
      cargo_offline fmt --check --manifest-path "$client/rust/Cargo.toml"
   fi
}

@test "the version of the crate is that of profmem" {
   local version
   version=$("$PROFMEM" --version | sed -n '1s/^.* \([0-9][0-9.]*\).*/\1/p')
   [ -n "$version" ]
   grep -qx "version = \"$version\"" "$client/rust/Cargo.toml"
   grep -qx "version = \"$version\"" "$client/rust/Cargo.lock"
}

@test "the request's code has no branch" {
   cat >probe.rs <<'END'
#[no_mangle]
pub fn probe_begin(name: &str) -> bool {
    profmem::begin(name).is_ok()
}
END
   rustc --edition 2021 --crate-type rlib --crate-name profmem -O -o libprofmem.rlib "$client/rust/src/lib.rs"
   rustc --edition 2021 --crate-type cdylib -O --emit=obj --extern profmem=libprofmem.rlib \
      -o object.o probe.rs
   objdump -d --no-show-raw-insn --disassemble=probe_begin object.o |
      awk -F'\t' 'NF >= 2 { print $2, $3 }' >code
   grep -q '^xchg *%rbx,%rbx' code
   # Up to the request nothing but the next instruction follows another.
   sed '/^xchg *%rbx,%rbx/q' code >request
   if grep -E '^(j|call|loop|rep|cmov|ret)' request; then
      fail "$(cat code)"
   fi
   [ "$(wc -l <request)" -le 20 ]
}
