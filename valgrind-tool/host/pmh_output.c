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
#include "pm_text.h"

enum { LINKS_MAX = 40, PATH_BYTES = 4096, TEMPORARY_TRIES = 1000 };

/* RLIMIT_FSIZE and ENAMETOOLONG of Linux, which Valgrind's headers do not name. */
enum { LIMIT_OF_FILE_SIZE = 1, NAME_TOO_LONG = 36 };

static struct output {
   HChar *name;      /* of the report, absolute */
   HChar *temporary; /* beside it; NULL: written directly */
   Int fd;           /* -1: not open */
   Int owner;        /* the process that opened it */
   UWord error;      /* why the descriptor refused bytes; 0: it has not */
} out = {.fd = -1};

static Bool child; /* of the first process: forked, or the image of an exec */

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

static HChar *numbered(const HChar *name, UInt number)
{
   HChar digits[PM_U64_TEXT];
   pm_u64_text(digits, number);
   return joined(name, ".", digits);
}

const HChar *pmh_output_directory(void)
{
   return pmh_options.directory ? pmh_options.directory : VG_(get_startup_wd)();
}

/* The directory's own name has no links in it, so "../" takes its last part away: the
   program may remove the directory, and the report lies elsewhere. */
static HChar *absolute(const HChar *name)
{
   const HChar *directory = pmh_output_directory();
   if (name[0] == '/' || !directory)
      return pmh_keep(name);
   HChar *above = pmh_keep(directory);
   for (;;) {
      if (pmh_begins_with(name, "../")) {
         HChar *last = VG_(strrchr)(above, '/');
         if (last)
            *last = '\0';
         name += 3;
      } else if (pmh_begins_with(name, "./")) {
         name += 2;
      } else {
         return joined(above, "/", name);
      }
   }
}

/* The name that the option asks for. Absolute: the program may change its working
   directory. */
static HChar *expanded(void)
{
   const HChar *name = VG_(expand_file_name)("--profmem-out-file", pmh_options.out_file);
   /* The core begins a relative name with the folder where this image started. One that
      begins with a variable may be absolute. */
   const HChar *start = VG_(get_startup_wd)(), *option = pmh_options.out_file;
   SizeT length = start ? VG_(strlen)(start) : 0;
   Bool relative = option[0] != '/' && !pmh_begins_with(option, "%q");
   if (relative && length > 0 && pmh_begins_with(name, start) && name[length] == '/')
      name += length + 1;
   return absolute(name);
}

/* Does the name change with the process? "%%" stands for a percent sign. */
static Bool has_pid(const HChar *name)
{
   for (; *name; name++)
      if (name[0] == '%' && name[1]) {
         if (name[1] == 'p')
            return True;
         name++;
      }
   return False;
}

/* Names of what is open already: a file behind them must not be replaced. */
static Bool is_open_already(const HChar *path)
{
   return pmh_begins_with(path, "/proc/") || pmh_begins_with(path, "/dev/fd/") ||
          pmh_begins_with(path, "/dev/std");
}

/* Follow symbolic links, so that the file they lead to is replaced and not they
   themselves. NULL: they lead nowhere, in a circle. */
static HChar *resolved(HChar *path)
{
   static HChar target[PATH_BYTES];
   for (Int links = 0; links < LINKS_MAX; links++) {
      SSizeT length =
         is_open_already(path) ? 0 : VG_(readlink)(path, target, sizeof target - 1);
      if (length <= 0)
         return path;
      target[length] = '\0';
      path = target[0] == '/' ? pmh_keep(target)
                              : joined(VG_(dirname)(path), "/", target);
   }
   return NULL;
}

static Bool is_direct(const HChar *path)
{
   struct vg_stat there;
   return is_open_already(path) ||
          (!sr_isError(VG_(stat)(path, &there)) && !VKI_S_ISREG(there.mode));
}

Bool pmh_output_is_direct(void)
{
   return is_direct(out.name);
}

Bool pmh_output_is_own(void)
{
   return !child || !pmh_output_is_direct();
}

/* --- opening ----------------------------------------------------------------- */

/* The core's words, and those it lacks. */
static const HChar *error_text(UWord error)
{
   switch (error) {
   case VKI_ELOOP:
      return "Too many levels of symbolic links";
   case NAME_TOO_LONG:
      return "File name too long";
   default:
      return VG_(strerror)(error);
   }
}

/* 0, or why not. */
static UWord open_at(const HChar *path, Int flags)
{
   SysRes opened = VG_(open)(path, flags | VKI_O_WRONLY, 0666);
   if (sr_isError(opened))
      return sr_Err(opened);
   out.fd = VG_(safe_fd)((Int)sr_Res(opened));
   out.owner = VG_(getpid)();
   return 0;
}

/* Make the temporary file. Its name does not depend on the report's, which may be as long as
   names can be. What has that name already is another's: a process's with the same number
   elsewhere, or a link that somebody put there. */
static UWord open_temporary(void)
{
   static UInt opened;
   const HChar *folder = VG_(dirname)(out.name);
   UWord error = VKI_EEXIST;
   for (Int tries = 0; tries < TEMPORARY_TRIES && error == VKI_EEXIST; tries++) {
      HChar unique[64];
      VG_(snprintf)(unique, sizeof unique, "/.profmem.%d.%u.tmp", VG_(getpid)(), ++opened);
      out.temporary = joined(folder, unique, "");
      error = open_at(out.temporary, VKI_O_CREAT | VKI_O_EXCL);
   }
   return error;
}

/* Open what out.name needs. 0, or why not. */
static UWord open_output(void)
{
   out.error = 0;
   out.temporary = NULL;
   HChar *real = resolved(out.name);
   if (!real)
      return VKI_ELOOP;
   out.name = real;
   if (is_direct(out.name))
      return open_at(out.name, VKI_O_APPEND);
   return open_temporary();
}

void pmh_output_begin(void)
{
   child = pmh_options.image_report != NULL;
   if (child) { /* which reports when it ends, and is not stopped by trouble */
      out.name = pmh_keep(pmh_options.image_report);
      return;
   }
   out.name = expanded();
   UWord error = open_output();
   if (error) {
      VG_(umsg)("profmem: error: cannot write the report '%s': %s\n", out.name,
                error_text(error));
      VG_(umsg)("profmem: choose another file with --profmem-out-file=FILE\n");
      VG_(exit)(1);
   }
}

/* --- children ----------------------------------------------------------------- */

HChar *pmh_output_image_name(UInt number)
{
   return numbered(out.name, number);
}

void pmh_output_after_fork(UInt number)
{
   if (out.fd >= 0)
      VG_(close)(out.fd);
   out.fd = -1;
   child = True;
   if (has_pid(pmh_options.out_file))
      out.name = expanded();
   else if (!pmh_output_is_direct())
      out.name = numbered(out.name, number);
}

/* --- writing ------------------------------------------------------------------ */

/* Would count more bytes exceed the program's limit on the size of files? Writing
   them would send it a signal. */
static Bool exceeds_limit(size_t count)
{
   struct vki_rlimit limit;
   struct vg_stat file;
   return VG_(getrlimit)(LIMIT_OF_FILE_SIZE, &limit) == 0 && VG_(fstat)(out.fd, &file) == 0 &&
          VKI_S_ISREG(file.mode) && (ULong)file.size + count > limit.rlim_cur;
}

/* The limit is the program's own, for its files: where it may have a higher one, that one
   holds for the report. Whether limit is to be set again. */
static Bool raise_limit(struct vki_rlimit *limit)
{
   if (VG_(getrlimit)(LIMIT_OF_FILE_SIZE, limit) != 0 || limit->rlim_cur >= limit->rlim_max)
      return False;
   const struct vki_rlimit raised = {limit->rlim_max, limit->rlim_max};
   return VG_(setrlimit)(LIMIT_OF_FILE_SIZE, &raised) == 0;
}

static bool write_bytes(void *ctx, const void *bytes, size_t count)
{
   for (const UChar *at = bytes; count > 0;) {
      Int n = exceeds_limit(count) ? -VKI_EFBIG : VG_(write)(out.fd, at, (Int)count);
      if (n == -VKI_EINTR)
         continue;
      if (n <= 0) {
         out.error = n < 0 ? (UWord)-n : VKI_ENOSPC;
         return false;
      }
      at += n;
      count -= (size_t)n;
   }
   return true;
}

static void close_output(void)
{
   VG_(close)(out.fd);
   out.fd = -1;
}

/* Is the file that is open one without a name? */
static Bool is_removed(void)
{
   struct vg_stat file;
   return out.fd >= 0 && out.temporary && VG_(fstat)(out.fd, &file) == 0 && file.nlink == 0;
}

static void say_lost(const HChar *reason)
{
   VG_(umsg)("profmem: error: cannot write the report '%s': %s; there is no report\n",
             out.name, reason);
}

Bool pmh_output_report(Bool (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx)
{
   /* Who tidied the folder up has removed the temporary file, too: another one serves. */
   Bool removed = is_removed();
   if (removed)
      close_output();
   UWord error = out.fd < 0 ? open_output() : 0;
   if (error) {
      say_lost(removed && error == VKI_ENOENT
                  ? "its folder, with the temporary file in it, is gone"
                  : error_text(error));
      return False;
   }
   const struct pm_xml_sink sink = {.write = write_bytes};
   struct vki_rlimit limit;
   Bool raised = raise_limit(&limit);
   Bool complete = write(&sink, ctx);
   if (raised)
      VG_(setrlimit)(LIMIT_OF_FILE_SIZE, &limit);
   removed = is_removed();
   close_output();
   if (!complete) {
      say_lost(out.error ? error_text(out.error) : "out of memory for its lists");
      if (out.temporary)
         VG_(unlink)(out.temporary);
      return False;
   }
   if (removed) {
      say_lost("its temporary file was removed");
      return False;
   }
   if (out.temporary && VG_(rename)(out.temporary, out.name) != 0) {
      VG_(umsg)("profmem: error: cannot give the report its name '%s'; it is complete in '%s', "
                "or where that was when the program started\n",
                out.name, out.temporary);
      return False;
   }
   return True;
}

Bool pmh_output_snapshot(const HChar *path,
                         Bool (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx)
{
   struct output report = out;
   out = (struct output){.fd = -1, .name = absolute(path)};
   Bool written = pmh_output_report(write, ctx);
   out = report;
   return written;
}

void pmh_output_withdraw(void)
{
   if (out.temporary) /* what was written directly cannot be taken back */
      VG_(unlink)(out.name);
}

/* Valgrind starts processes of its own, too, which have the descriptor of this one. */
void pmh_output_abandon(void)
{
   if (out.fd < 0 || out.owner != VG_(getpid)())
      return;
   close_output();
   if (out.temporary)
      VG_(unlink)(out.temporary);
}
