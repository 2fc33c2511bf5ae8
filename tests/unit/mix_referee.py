#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mix_referee.py: are the classes of instructions what their disassembly says?

   objdump -dw -M intel FILE | mix_executed | mix_decode x86-64 | mix_referee.py x86
   aarch64-linux-gnu-objdump -dw FILE | mix_decode arm64 | mix_referee.py arm64

Judges objdump's text, mnemonic and operands, by the definitions in pm_mix.h and nothing
else: no opcode, none of the core's tables. All that differ are listed, once a form; the
last line counts. A mnemonic whose use of memory is not known here is an error, not a guess.
Exit: 0 if all agree, 1 if some differ or are not known, 2 if there was nothing to judge.
"""
import re
import sys

NUMBER = re.compile(r"0x[0-9a-f]+")


def words(text):
    return frozenset(text.split())


# --- x86, in Intel's syntax: the first operand is the destination ----------------------

PREFIX = re.compile(r"rep(n?[ze])?$|lock$|bnd$|notrack$|xacquire$|xrelease$|data(16|32)$|"
                    r"addr(16|32)$|[cdefgs]s$|rex(\.W?R?X?B?)?$|[{]vex3?[}]$")

# In these lines objdump shows two instructions as one, as the assembler wrote them.
WITH_FWAIT = re.compile(r"9b \w")

TOUCH_NOTHING = words("""lea nop prefetch prefetchw prefetchwt1 prefetchnta prefetcht0
   prefetcht1 prefetcht2 clflush clflushopt clwb cldemote invlpg endbr64 endbr32""")

READ_FIRST = words("""cmp test bt push call jmp mul imul div idiv ldmxcsr vldmxcsr
   fxrstor fxrstor64 xrstor xrstor64 xrstors frstor fldenv fldcw fld fild fbld
   fadd fmul fcom fcomp fsub fsubr fdiv fdivr
   fiadd fimul ficom ficomp fisub fisubr fidiv fidivr
   lgdt lidt lldt ltr lmsw verr verw vmptrld xlat cmps""")

WRITE_FIRST = words("""mov movabs movbe movnti pop stos movs ins
   fst fstp fist fistp fisttp fbstp fnstcw fnstsw fnstenv fnsave fxsave fxsave64
   xsave xsave64 xsaveopt xsaveopt64 xsavec xsavec64 xsaves stmxcsr vstmxcsr
   movss movsd movups movupd movaps movapd movdqa movdqu movq movd movntq movntdq movntps
   movntpd movlps movlpd movhps movhpd pextrb pextrw pextrd pextrq extractps
   vextractf128 vextracti128 vcvtps2ph vmaskmovps vmaskmovpd vpmaskmovd vpmaskmovq
   sgdt sidt sldt str smsw vmptrst""")

CHANGE_FIRST = words("""add or adc sbb and sub xor inc dec not neg rol ror rcl rcr shl shr sar
   shld shrd xchg xadd cmpxchg cmpxchg8b cmpxchg16b bts btr btc""")

# Intel's manual, "x87 FPU control instructions", in the forms that objdump lists. (ffreep,
# and the ones that were of use on the 287 alone, are not in the manual.)
X87_CONTROL = words("""fincstp fdecstp ffree ffreep fninit fnclex fnstcw fldcw fnstenv fldenv
   fnsave frstor fnstsw fwait fnop fneni(8087 fndisi(8087 fnsetpm(287""")

WHOLE_COPIES = words("movaps movapd movups movupd movdqa movdqu movq")
ZERO_OF_ONE = words("""xorps xorpd pxor andnps andnpd pandn psubb psubw psubd psubq psubsb psubsw
   psubusb psubusw pcmpgtb pcmpgtw pcmpgtd pcmpgtq""")

# The suffix that objdump puts behind these where the width is not the usual one.
WIDTH = re.compile(r"(push|pop|pushf|popf|pusha|popa|call|ret|retf|iret|enter|leave|jmp|fnsave|"
                   r"frstor|fnstenv|fldenv|sgdt|sidt)[wdq]$")

VECTOR_REGISTER = re.compile(r"[xy]?mm\d+$")
SCALAR = re.compile(r"(?!v?p|v?broadcast)\w+s[sd]$")
TO_GENERAL = re.compile(r"v?cvtt?s[sd]2si$")
X87 = re.compile(r"f(?!xsave|xrstor|emms)")
BRANCH = re.compile(r"(j\w+|loop\w*)$|(call|ret|retf|iret|ljmp|lcall)$")


def is_memory(operand):
    return "[" in operand or "PTR" in operand or operand[1:3] == "s:"


def x86_memory(name, operands):
    """Loads and stores, by operands and implied."""
    if name in TOUCH_NOTHING or name.startswith("bnd"):
        return set()
    classes = set()
    plain = name.removeprefix("v") if name not in WRITE_FIRST else name
    if name in ("push", "pushf", "pusha", "call", "enter", "maskmovq") or plain == "maskmovdqu":
        classes.add("s")
    if name in ("pop", "popf", "popa", "ret", "retf", "leave", "iret"):
        classes.add("l")
    if operands and is_memory(operands[0]):
        if name in READ_FIRST:
            classes.add("l")
        elif name.startswith("set") or plain in WRITE_FIRST:
            classes.add("s")
        elif name in CHANGE_FIRST:
            classes.update("ls")
        else:
            raise KeyError(name)
    if any(is_memory(operand) for operand in operands[1:]):
        classes.add("l")
        if name == "xchg":
            classes.add("s")
    return classes


def x86_vector(name, operands):
    """Vector, scalar-float or neither."""
    if X87.match(name):
        return set() if name in X87_CONTROL else {"f"}
    if TO_GENERAL.match(name):
        return {"f"}
    registers = [o for o in operands if VECTOR_REGISTER.match(o)]
    if not registers:
        return set()
    if SCALAR.match(name):
        return {"f"}
    plain = name.removeprefix("v")
    memory = any(is_memory(o) for o in operands)
    half = plain == "movq" and operands[0].startswith("x")
    if plain in WHOLE_COPIES and len(registers) == 2 and not half:
        return set()
    if plain in ("movd", "movq") and len(registers) == 1 and not memory:
        return set()
    if plain in ZERO_OF_ONE and len(registers) == len(operands) and \
            operands[-1] == operands[-2]:
        return set()
    return {"v"}


def x86(code, text):
    if "(bad)" in text or WITH_FWAIT.match(code):
        return None
    parts = text.split("#")[0].split("<")[0].split()
    while parts and PREFIX.match(parts[0]):
        parts.pop(0)
    if not parts:
        return None
    name = WIDTH.sub(r"\1", parts[0])
    operands = [o.strip() for o in " ".join(parts[1:]).split(",")] if parts[1:] else []
    classes = x86_memory(name, operands) | x86_vector(name, operands)
    if BRANCH.match(name):
        classes.add("b")
    if name in ("call", "lcall"):
        classes.add("c")
    if name in ("syscall", "sysenter") or (name == "int" and operands == ["0x80"]):
        classes.add("y")
    return classes


# --- arm64 -------------------------------------------------------------------------------

# What Valgrind refuses: scalable vectors, and tags of memory.
A64_REFUSED = re.compile(r"""(udf|\.) | \w+\s.*\b[zp]\d+(\.[bhsdq]|/[mz])\b | (rd|add)vl |
   (ldg|stg|st2g|stzg|stz2g|ldgm|stgm|stgp|irg|addg|subg|gmi|subps?)\b""", re.X)
A64_BRANCH = re.compile(r"(b|b\.\w\w|bl|blr\w*|br|bra\w+|ret\w*|cbn?z|tbn?z)$")
A64_CALL = re.compile(r"(bl|blr|blra\w+)$")
A64_BOTH = re.compile(r"(cas|swp|(ld|st)(add|clr|eor|set|[su]max|[su]min))(p?(a|l|al)?[bh]?)$")
A64_VECTOR = re.compile(r"[{]?\s*([bhsdq]\d+$|v\d+\.)")
A64_FLOAT = re.compile(r"f|[su]cvtf$|bfcvt$")


def arm64_zero_or_copy(name, operands):
    if name == "movi":
        return operands[1] == "#0x0" and "msl" not in operands[-1]
    if name == "mov":
        return operands[0].endswith(".16b") and operands[1].endswith(".16b")
    return name in ("eor", "bic", "sub", "sqsub", "uqsub", "cmgt", "cmhi") and \
        "." in operands[0] and len(operands) == 3 and operands[1] == operands[2]


def arm64_vector(name, operands):
    vectors = [o for o in operands if A64_VECTOR.match(o)]
    if not vectors:
        return set()
    first = vectors[0]
    general = any(re.match(r"[wx](\d+|zr)$", o) for o in operands)
    if name.startswith(("ld", "st")):
        return {"f"} if first[0] in "hsd" else {"v"}
    if name == "fmov" and general or arm64_zero_or_copy(name, operands):
        return set()
    if A64_FLOAT.match(name):
        # By an element is still on one number; from many to one is not.
        one = first[0] in "hsd" and (len(operands) > 2 or not operands[-1].startswith("v"))
        return {"f"} if one else {"v"}
    return {"v"}


def arm64(code, text):
    del code # objdump's text says everything here
    text = text.split("//")[0].split("<")[0].strip()
    if A64_REFUSED.match(text):
        return None
    parts = text.split(None, 1)
    name = parts[0]
    # Commas of lists and addresses do not separate operands.
    tail = re.sub(r"[{][^}]*[}]|\[[^]]*\]", lambda m: m[0].replace(",", ";"),
                  parts[1] if len(parts) > 1 else "")
    operands = [o.strip() for o in tail.split(",")]
    goes = A64_BRANCH.match(name) or name in ("adr", "adrp") # an address may look like d9
    classes = set() if goes else arm64_vector(name, operands)
    if A64_BOTH.match(name):
        classes.update("ls")
    elif name.startswith("ld"):
        classes.add("l")
    elif name.startswith("st") or (name == "dc" and operands[0] == "zva"):
        classes.add("s")
    if A64_BRANCH.match(name):
        classes.add("b")
    if A64_CALL.match(name):
        classes.add("c")
    if name == "svc":
        classes.add("y")
    return classes


# --- Comparison --------------------------------------------------------------------------

def form_of(text):
    """What decides: numbers do not, but for the ones that name an interrupt or are 0."""
    if text.startswith("int ") or "movi" in text:
        return text
    return NUMBER.sub("N", text.split("<")[0].split("//")[0])


def letters(classes):
    return "".join(c for c in "vflsbcy" if c in classes) or "-"


def main():
    judge = {"x86": x86, "arm64": arm64}[sys.argv[1]]
    known, wrong = {}, {}
    judged = refused = 0
    for line in sys.stdin:
        core, code, text = line.rstrip("\n").split("\t", 2)
        text = " ".join(text.split())
        form = ("fwait; " if code.startswith("9b ") else "") + form_of(text)
        if form not in known:
            try:
                classes = judge(code, text)
                known[form] = None if classes is None else letters(classes)
            except (KeyError, IndexError):
                known[form] = "unknown"
        if known[form] is None:
            refused += 1
            continue
        judged += 1
        if core != known[form]:
            wrong.setdefault((core, known[form], form), []).append(code.strip())
    for (core, referee, form), codes in sorted(wrong.items(), key=lambda w: w[0][2]):
        print(f"core {core}, referee {referee}: {form} ({codes[0]}, {len(codes)} times)")
    print(f"{judged} instructions in {len(known)} forms judged, {refused} left out, "
          f"{sum(map(len, wrong.values()))} differ")
    return 2 if judged == 0 else 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
