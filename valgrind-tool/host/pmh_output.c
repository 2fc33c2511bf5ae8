/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_output.c: names, descriptors and renaming; pmh_output.h has the rules. */
#include "pmh_output.h"
#include "pmh_core.h"
#include "pmh_options.h"
#include "pmh_services.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

enum { LINKS_MAX = 40, PATH_BYTES = 4096 };

static struct output {
   HChar *name;      /* of the report, absolute */
   HChar *temporary; /* beside it; NULL: written directly */
   Int fd;           /* -1: not open */
   Bool failed;      /* the descriptor refused bytes */
   SysRes error;     /* why */
} out = {.fd = -1};

static const HChar *suffix = ""; /* of this process's report's name */

const HChar *pmh_output_name(void)
{
   return out.name;
}

/* --- names ------------------------------------------------------------------- */

static HChar *joined(const HChar *a, const HChar *b, const HChar *c)
{
   SizeT bytes = VG_(strlen)(a) + VG_(strlen)(b) + VG_(strlen)(c) + 1;
   HChar *text = VG_(malloc)("profmem.name", bytes);
   VG_(snprintf)(text, (Int)bytes, "%s%s%s", a, b, c);
   return text;
}

/* The name that the option asks for, made absolute: the program may change its
   working directory. */
static HChar *expanded(void)
{
   HChar *name = VG_(expand_file_name)("--profmem-out-file", pmh_options.out_file);
   const HChar *directory = VG_(get_startup_wd)();
   if (name[0] == '/' || !directory)
      return joined(name, suffix, "");
   HChar *path = joined(directory, "/", name);
   return joined(path, suffix, "");
}

static Bool begins_with(const HChar *text, const HChar *start)
{
   return VG_(strncmp)(text, start, VG_(strlen)(start)) == 0;
}

/* Follow symbolic links, so that the file they lead to is replaced and not they
   themselves. Links into /dev and /proc (/dev/stdout) lead to something open. */
static HChar *resolved(HChar *path)
{
   static HChar target[PATH_BYTES];
   for (Int links = 0; links < LINKS_MAX && !begins_with(path, "/dev/") &&
                       !begins_with(path, "/proc/"); links++) {
      SSizeT length = VG_(readlink)(path, target, sizeof target - 1);
      if (length <= 0)
         break;
      target[length] = '\0';
      path = target[0] == '/' ? pmh_keep(target)
                              : joined(VG_(dirname)(path), "/", target);
   }
   return path;
}

/* --- opening ----------------------------------------------------------------- */

static SysRes open_at(const HChar *path, Int flags)
{
   SysRes opened = VG_(open)(path, flags | VKI_O_WRONLY, 0666);
   if (!sr_isError(opened))
      out.fd = VG_(safe_fd)((Int)sr_Res(opened));
   return opened;
}

/* Open what out.name needs. The result says why not. */
static SysRes open_output(void)
{
   struct vg_stat there;
   Bool special = begins_with(out.name, "/dev/") || begins_with(out.name, "/proc/") ||
                  (!sr_isError(VG_(stat)(out.name, &there)) && !VKI_S_ISREG(there.mode));
   out.failed = False;
   out.temporary = NULL;
   if (special)
      return open_at(out.name, VKI_O_APPEND);
   HChar pid[16];
   VG_(snprintf)(pid, sizeof pid, ".%d", VG_(getpid)());
   out.temporary = joined(out.name, pid, ".tmp");
   return open_at(out.temporary, VKI_O_CREAT | VKI_O_TRUNC);
}

void pmh_output_begin(void)
{
   suffix = pmh_options.name_suffix;
   out.name = resolved(expanded());
   SysRes opened = open_output();
   if (sr_isError(opened)) {
      VG_(umsg)("profmem: error: cannot write the report '%s': %s\n", out.name,
                VG_(sr_as_string)(opened));
      VG_(umsg)("profmem: choose another file with --profmem-out-file=FILE\n");
      VG_(exit)(1);
   }
}

/* --- children ----------------------------------------------------------------- */

void pmh_output_suffix(HChar *to, SizeT bytes, UInt child)
{
   VG_(snprintf)(to, (Int)bytes, "%s.%u", suffix, child);
}

void pmh_output_after_fork(UInt child)
{
   if (out.fd >= 0)
      VG_(close)(out.fd);
   out.fd = -1;
   if (VG_(strstr)(pmh_options.out_file, "%p")) {
      suffix = ""; /* the name changes with the pid */
   } else {
      static HChar own[256];
      HChar next[sizeof own];
      pmh_output_suffix(next, sizeof next, child);
      VG_(strcpy)(own, next);
      suffix = own;
   }
   out.name = resolved(expanded());
}

/* --- writing ------------------------------------------------------------------ */

static bool write_bytes(void *ctx, const void *bytes, size_t count)
{
   for (const UChar *at = bytes; count > 0;) {
      Int n = VG_(write)(out.fd, at, (Int)count);
      if (n == -VKI_EINTR)
         continue;
      if (n <= 0) {
         out.failed = True;
         out.error = (SysRes){._val = n < 0 ? (UWord)-n : VKI_ENOSPC, ._isError = True};
         return false;
      }
      at += n;
      count -= (size_t)n;
   }
   return true;
}

static void say_lost(SysRes error)
{
   VG_(umsg)("profmem: error: cannot write the report '%s': %s; there is no report\n",
             out.name, VG_(sr_as_string)(error));
}

Bool pmh_output_report(void (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx)
{
   if (out.fd < 0) {
      SysRes opened = open_output();
      if (sr_isError(opened)) {
         say_lost(opened);
         return False;
      }
   }
   const struct pm_xml_sink sink = {.write = write_bytes};
   write(&sink, ctx);
   VG_(close)(out.fd);
   out.fd = -1;
   if (out.failed) {
      say_lost(out.error);
      if (out.temporary)
         VG_(unlink)(out.temporary);
      return False;
   }
   if (out.temporary && VG_(rename)(out.temporary, out.name) != 0) {
      VG_(umsg)("profmem: error: cannot rename '%s' to '%s'; there is no report\n",
                out.temporary, out.name);
      VG_(unlink)(out.temporary);
      return False;
   }
   return True;
}

Bool pmh_output_snapshot(const HChar *path,
                         void (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx)
{
   struct output report = out;
   const HChar *directory = VG_(get_startup_wd)();
   out = (struct output){.fd = -1};
   out.name = resolved(path[0] == '/' || !directory ? pmh_keep(path)
                                                    : joined(directory, "/", path));
   Bool written = pmh_output_report(write, ctx);
   out = report;
   return written;
}

void pmh_output_withdraw(void)
{
   if (out.temporary) /* what was written directly cannot be taken back */
      VG_(unlink)(out.name);
}

void pmh_output_abandon(void)
{
   if (out.fd < 0)
      return;
   VG_(close)(out.fd);
   out.fd = -1;
   if (out.temporary)
      VG_(unlink)(out.temporary);
}
