/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_elf.c: the ELF reader on real files, against readelf.
 *
 * readelf says what each file holds: libraries of the system, this program, and
 * samples that the test compiles in a folder of its own. (test_pm_elf_damage.c has
 * the files made by hand.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_samples.h"
#include "hosted.h"
#include "pm_elf.h"
#include "pm_text.h"

static void check_same_lines(const char *what, struct lines *is, struct lines *should)
{
   sort_lines(is);
   sort_lines(should);
   for (size_t i = 0; i < is->count && i < should->count; i++)
      if (strcmp(is->line[i], should->line[i]) != 0)
         fail_msg("%s: '%s', but readelf says '%s'", what, is->line[i], should->line[i]);
   if (is->count != should->count)
      fail_msg("%s: %zu symbols, but readelf counts %zu", what, is->count, should->count);
}

static FILE *command(const char *format, const char *path)
{
   char text[8192];
   FILE *out;

   snprintf(text, sizeof text, format, path);
   fflush(NULL);
   out = popen(text, "r");
   assert_non_null(out);
   return out;
}

static void collect_from_readelf(const char *path, enum pm_elf_table table, struct lines *lines)
{
   FILE *out = command("LC_ALL=C readelf -W --symbols '%s' 2>/dev/null", path);
   const char *heading =
      table == PM_ELF_DYNSYM ? "Symbol table '.dynsym'" : "Symbol table '.symtab'";
   bool inside = false;
   char *line = NULL;
   size_t room = 0;

   while (getline(&line, &room, out) > 0) {
      char value[32], size[32], type[32], binding[32], visibility[32], index[32];
      int name_at = 0;
      char *name;

      if (strncmp(line, "Symbol table", 12) == 0)
         inside = strncmp(line, heading, strlen(heading)) == 0;
      if (!inside || sscanf(line, " %*u: %31s %31s %31s %31s %31s %31s %n", value, size, type,
                            binding, visibility, index, &name_at) < 6 || name_at == 0)
         continue;
      name = line + name_at;
      name[strcspn(name, "\n")] = '\0';
      if (name[0] != '\0')
         name[1 + strcspn(name + 1, "@")] = '\0';
      if (name[0] == '\0' || strcmp(index, "UND") == 0 || strcmp(index, "ABS") == 0 ||
          strcmp(index, "COM") == 0 ||
          (strcmp(type, "FUNC") != 0 && strcmp(type, "IFUNC") != 0 && strcmp(type, "NOTYPE") != 0))
         continue;
      add_line(lines, "%" PRIx64 " %" PRIu64 " %s %s %s", (uint64_t)strtoull(value, NULL, 16),
               (uint64_t)strtoull(size, NULL, 0), type, binding, name);
   }
   free(line);
   assert_int_equal(pclose(out), 0);
}

/* ---- What else readelf tells. */

/* The text behind `key` in the first line of the output that has it; "" if none. */
static void readelf_value(const char *format, const char *path, const char *key, char value[256])
{
   FILE *out = command(format, path);
   char *line = NULL;
   size_t room = 0;

   value[0] = '\0';
   while (getline(&line, &room, out) > 0) {
      char *at = strstr(line, key);

      if (at != NULL && value[0] == '\0') {
         snprintf(value, 256, "%s", at + strlen(key));
         value[strcspn(value, "]\n")] = '\0';
      }
   }
   free(line);
   pclose(out);
}

/* The first executable LOAD of readelf's list of segments. */
static bool readelf_text(const char *path, uint64_t *offset, uint64_t *address)
{
   FILE *out = command("LC_ALL=C readelf -W --segments '%s' 2>/dev/null", path);
   bool found = false;
   char *line = NULL;
   size_t room = 0;

   while (getline(&line, &room, out) > 0) {
      uint64_t at, where;
      int flags_at = 0;

      if (!found && sscanf(line, " LOAD 0x%" SCNx64 " 0x%" SCNx64 " %*s %*s %*s %n", &at, &where,
                           &flags_at) == 2 && strncmp(line + flags_at, "R", 1) == 0 &&
          strchr(line + flags_at, 'E') != NULL) {
         found = true;
         *offset = at;
         *address = where;
      }
   }
   free(line);
   pclose(out);
   return found;
}

static void check_identity(const char *path, const struct pm_elf *elf)
{
   static const char *const types[] = {"NONE", "REL", "EXEC", "DYN", "CORE"};
   char value[256], build_id[PM_BYTES_TEXT(PM_ELF_BUILD_ID_MAX)];
   uint64_t offset = 0, address = 0;

   readelf_value("LC_ALL=C readelf -h '%s'", path, "Class:", value);
   assert_int_equal(elf->is_64, strstr(value, "ELF64") != NULL);
   readelf_value("LC_ALL=C readelf -h '%s'", path, "Type:", value);
   assert_true(elf->type < 5);
   assert_ptr_equal(strstr(value, types[elf->type]), value + strspn(value, " "));
   readelf_value("LC_ALL=C readelf -h '%s'", path, "Entry point address:", value);
   assert_int_equal(elf->entry, strtoull(value, NULL, 16));

   readelf_value("LC_ALL=C readelf -n '%s' 2>/dev/null", path, "Build ID: ", value);
   pm_bytes_text(build_id, elf->build_id, elf->build_id_bytes);
   assert_string_equal(build_id, value);
   readelf_value("LC_ALL=C readelf -d '%s' 2>/dev/null", path, "Library soname: [", value);
   assert_string_equal(elf->soname, value);

   assert_int_equal(elf->has_text, readelf_text(path, &offset, &address));
   assert_int_equal(elf->text_offset, offset);
   assert_int_equal(elf->text_address, address);
}

/* Everything the reader says about a sound file is what readelf says. The number of
   symbols of each table is left in counts, if that is not NULL. */
static void check_file(const char *path, size_t counts[PM_ELF_TABLES])
{
   struct image image;
   struct pm_elf elf;

   image_load(&image, path);
   assert_int_equal(pm_elf_open(&elf, &hosted, &image.file), PM_ELF_OK);
   assert_int_equal(elf.dynamic, PM_ELF_OK);
   assert_int_equal(elf.sections, PM_ELF_OK);
   check_identity(path, &elf);
   for (int table = 0; table < PM_ELF_TABLES; table++) {
      struct lines is = {0}, should = {0};

      assert_int_equal(pm_elf_symbols(&elf, (enum pm_elf_table)table, collect_symbol, &is),
                       PM_ELF_OK);
      collect_from_readelf(path, (enum pm_elf_table)table, &should);
      check_same_lines(path, &is, &should);
      if (counts != NULL)
         counts[table] = is.count;
      release_lines(&is);
      release_lines(&should);
   }
   image_release(&image);
   assert_int_equal(hosted_live_bytes(), 0);
}

/* ---- Samples. */

static char folder[1024];
static char path_buffer[4][2048];

/* A path in the test's folder, valid for three more calls. */
static const char *in_folder(const char *name)
{
   static unsigned turn;
   char *path = path_buffer[turn++ % 4];

   snprintf(path, sizeof path_buffer[0], "%s/%s", folder, name);
   return path;
}

/* Every kind of symbol that the reader distinguishes. */
static const char sample_source[] =
   "int data_is_no_function = 1;\n"
   "extern void is_undefined(void) __attribute__((weak));\n"
   "static __attribute__((noinline, used)) int is_local(int i) { return i + 1; }\n"
   "int is_global(int i) { if (is_undefined) is_undefined(); return is_local(i); }\n"
   "__attribute__((weak)) int is_weak(int i) { return i; }\n"
   "__attribute__((alias(\"is_global\"))) int is_alias(int i);\n"
   "int old_version(int i) { return i; }\n"
   "int new_version(int i) { return i; }\n"
   "#ifdef WITH_VERSIONS\n"
   "__asm__(\".symver old_version,is_versioned@SAMPLE_1\");\n"
   "__asm__(\".symver new_version,is_versioned@@SAMPLE_2\");\n"
   "#endif\n"
   "#ifdef WITH_IFUNC\n"
   "static __attribute__((used)) void *resolve(void) { return (void *)is_weak; }\n"
   "__asm__(\".globl is_ifunc; .type is_ifunc, %gnu_indirect_function; .set is_ifunc, resolve\");\n"
   "#endif\n"
   "__asm__(\".text; .globl has_no_type; has_no_type: .byte 0; .data; .globl data_without_type;"
   " data_without_type: .byte 0; .globl is_absolute; .set is_absolute, 4711; .text\");\n"
   "#ifdef WITH_MAIN\n"
   "int main(void) { return is_global(0); }\n"
   "#endif\n";

static void write_file(const char *path, const void *bytes, size_t count)
{
   FILE *file = fopen(path, "wb");

   assert_non_null(file);
   assert_int_equal(fwrite(bytes, 1, count, file), count);
   assert_int_equal(fclose(file), 0);
}

static int run(const char *format, ...)
{
   char text[8192];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof text, format, args);
   va_end(args);
   fflush(NULL);
   return system(text);
}

/* Compile sample.c into `name`; PM_CC is the compiler that configure found. */
static bool compile_sample(const char *name, const char *flags)
{
   return run("cd '%s' && %s -w -O1 %s -o %s sample.c >%s.log 2>&1", folder, PM_CC, flags, name,
              name) == 0;
}

#define SHARED "-shared -fPIC -nostdlib -Wl,-soname,libsample.so.7 "
#define VERSIONED "-DWITH_VERSIONS -Wl,--version-script=sample.map "

static int make_folder(void **state)
{
   const char *build = getenv("abs_top_builddir");
   const char *map = "SAMPLE_1 { global: *; };\nSAMPLE_2 { } SAMPLE_1;\n";

   (void)state;
   snprintf(folder, sizeof folder, "%s/tests/unit/elf.XXXXXX", build != NULL ? build : ".");
   if (mkdtemp(folder) == NULL)
      return -1;
   write_file(in_folder("sample.c"), sample_source, strlen(sample_source));
   write_file(in_folder("sample.map"), map, strlen(map));
   return compile_sample("plain.so", SHARED "-Wl,--build-id=sha1 -Wl,--hash-style=gnu") ? 0 : -1;
}

static int remove_folder(void **state)
{
   (void)state;
   return run("rm -rf '%s'", folder) == 0 ? 0 : -1;
}

/* ---- Sound files. */

static void libraries_of_this_process_agree_with_readelf(void **state)
{
   void *in_library[] = {dlsym(RTLD_DEFAULT, "getpid"), dlsym(RTLD_DEFAULT, "assert_true"),
                         dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests")};
   int checked = 0;

   (void)state;
   for (size_t i = 0; i < sizeof in_library / sizeof in_library[0]; i++) {
      size_t counts[PM_ELF_TABLES];
      Dl_info info;

      if (in_library[i] == NULL)
         continue;
      assert_int_not_equal(dladdr(in_library[i], &info), 0);
      check_file(info.dli_fname, counts);
      assert_true(counts[PM_ELF_DYNSYM] > 10);
      checked++;
   }
   assert_true(checked >= 2);
}

static void a_large_cxx_library_agrees_with_readelf(void **state)
{
   size_t counts[PM_ELF_TABLES];
   char path[256];

   (void)state;
   readelf_value("%s", PM_CC " -print-file-name=libstdc++.so.6", "", path);
   if (path[0] != '/') {
      print_message("the compiler knows no libstdc++.so.6\n");
      skip();
   }
   check_file(path, counts);
   assert_true(counts[PM_ELF_DYNSYM] > 1000);
}

static void programs_agree_with_readelf(void **state)
{
   size_t counts[PM_ELF_TABLES];
   char self[4096];
   ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

   (void)state;
   check_file("/bin/true", NULL);
   assert_true(length > 0);
   self[length] = '\0';
   check_file(self, counts);
   assert_true(counts[PM_ELF_SYMTAB] > 30);
   assert_true(compile_sample("static", "-static -DWITH_MAIN -DWITH_IFUNC"));
   check_file(in_folder("static"), counts);
   assert_int_equal(counts[PM_ELF_DYNSYM], 0);
   assert_true(counts[PM_ELF_SYMTAB] > 1000);
   assert_int_equal(run("cd '%s' && strip -o stripped static", folder), 0);
   check_file(in_folder("stripped"), counts);
   assert_int_equal(counts[PM_ELF_SYMTAB], 0);
}

static void samples_agree_with_readelf(void **state)
{
   static const char *const flags[] = {
      SHARED "-Wl,--build-id=sha1 -Wl,--hash-style=gnu " VERSIONED,
      SHARED "-Wl,--build-id=md5 -Wl,--hash-style=sysv",
      SHARED "-Wl,--build-id=0x2a2b2c2d -Wl,--hash-style=both -DWITH_IFUNC",
      SHARED "-Wl,--build-id=none -Wl,-s",
      SHARED "-fvisibility=hidden -Wl,--hash-style=gnu",
      SHARED "-Wl,-z,noseparate-code",
      "-c", /* a relocatable file: no program headers at all */
      "-pie -fPIE -DWITH_MAIN",
      "-no-pie -DWITH_MAIN -Wl,--build-id",
   };

   (void)state;
   for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
      char name[16];

      snprintf(name, sizeof name, "sample-%zu", i);
      if (!compile_sample(name, flags[i]))
         fail_msg("cannot compile with %s", flags[i]);
      check_file(in_folder(name), NULL);
   }
}

static void files_of_32_bits_agree_with_readelf(void **state)
{
   size_t counts[PM_ELF_TABLES];

   (void)state;
   if (!compile_sample("32.so", SHARED "-m32 -Wl,--build-id=sha1 -Wl,--hash-style=gnu")) {
      print_message("the compiler makes no 32-bit code\n");
      skip();
   }
   check_file(in_folder("32.so"), counts);
   assert_true(counts[PM_ELF_DYNSYM] >= 5);
   assert_true(counts[PM_ELF_SYMTAB] > counts[PM_ELF_DYNSYM]);
   assert_true(compile_sample("32-sysv.so", SHARED "-m32 -Wl,--hash-style=sysv"));
   check_file(in_folder("32-sysv.so"), NULL);
}

/* The kinds themselves, so that not only two readers agree. */
static void kinds_of_symbols_are_told_apart(void **state)
{
   struct image image;
   struct pm_elf elf;
   struct lines lines = {0};
   static const char *const functions[] = {"is_local", "is_global", "is_weak", "is_alias",
                                           "is_versioned", "has_no_type", "is_ifunc"};
   static const char *const kinds[] = {"FUNC LOCAL", "FUNC GLOBAL", "FUNC WEAK", "FUNC GLOBAL",
                                       "FUNC GLOBAL", "NOTYPE GLOBAL", "IFUNC GLOBAL"};
   static const char *const others[] = {"data_is_no_function", "is_undefined", "is_absolute"};
   unsigned found[7] = {0};

   (void)state;
   assert_true(compile_sample("kinds.so", SHARED VERSIONED "-DWITH_IFUNC"));
   image_load(&image, in_folder("kinds.so"));
   assert_int_equal(pm_elf_open(&elf, &hosted, &image.file), PM_ELF_OK);
   assert_true(elf.has_symtab);
   assert_string_equal(elf.soname, "libsample.so.7");
   assert_int_equal(pm_elf_symbols(&elf, PM_ELF_SYMTAB, collect_symbol, &lines), PM_ELF_OK);
   for (size_t i = 0; i < lines.count; i++) {
      char kind[64], binding[32], name[64];

      assert_int_equal(sscanf(lines.line[i], "%*s %*s %31s %31s %63s", kind, binding, name), 3);
      strcat(strcat(kind, " "), binding);
      for (int f = 0; f < 7; f++)
         if (strcmp(name, functions[f]) == 0) {
            assert_string_equal(kind, kinds[f]);
            found[f]++;
         }
      for (int o = 0; o < 3; o++)
         assert_string_not_equal(name, others[o]);
   }
   for (int f = 0; f < 7; f++)
      assert_int_equal(found[f], strcmp(functions[f], "is_versioned") == 0 ? 2 : 1);
   release_lines(&lines);
   image_release(&image);
}

/* Where the formula of pm_elf.h puts a function of libc is where it is. */
static int find_libc(struct dl_phdr_info *info, size_t bytes, void *bias)
{
   (void)bytes;
   if (strstr(info->dlpi_name, "/libc.") == NULL)
      return 0;
   *(uint64_t *)bias = info->dlpi_addr;
   return 1;
}

static void find_getpid(void *ctx, const struct pm_elf_symbol *symbol)
{
   if (strcmp(symbol->name, "getpid") == 0)
      *(uint64_t *)ctx = symbol->address;
}

static void addresses_move_with_the_mapping(void **state)
{
   void *function = dlsym(RTLD_DEFAULT, "getpid");
   uint64_t bias = 0, by_formula = 0, address = 0;
   struct image image;
   struct pm_elf elf;
   char line[4096];
   Dl_info info;
   FILE *maps = fopen("/proc/self/maps", "r");

   (void)state;
   assert_non_null(function);
   assert_int_not_equal(dladdr(function, &info), 0);
   assert_int_equal(dl_iterate_phdr(find_libc, &bias), 1);
   image_load(&image, info.dli_fname);
   assert_int_equal(pm_elf_open(&elf, &hosted, &image.file), PM_ELF_OK);
   assert_int_equal(pm_elf_symbols(&elf, PM_ELF_DYNSYM, find_getpid, &address), PM_ELF_OK);
   assert_non_null(maps);
   while (fgets(line, sizeof line, maps) != NULL) {
      uint64_t start, end, offset;

      assert_int_equal(sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset),
                       3);
      if ((uint64_t)(uintptr_t)function >= start && (uint64_t)(uintptr_t)function < end)
         by_formula = start - offset + elf.text_offset - elf.text_address;
   }
   fclose(maps);
   assert_true(by_formula == bias);
   assert_true(address + bias == (uint64_t)(uintptr_t)function);
   image_release(&image);
}

/* ---- Files without section headers. */

static void remove_sections(struct image *image)
{
   if (image->bytes[EI_CLASS] == ELFCLASS64) {
      Elf64_Ehdr *header = (Elf64_Ehdr *)image->bytes;

      image->count = image->file.bytes = header->e_shoff;
      header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
   } else {
      Elf32_Ehdr *header = (Elf32_Ehdr *)image->bytes;

      image->count = image->file.bytes = header->e_shoff;
      header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
   }
}

static void check_dynamic_only(const char *path)
{
   struct lines with = {0}, without = {0};
   struct image image;
   struct pm_elf before, after;

   image_load(&image, path);
   assert_int_equal(pm_elf_open(&before, &hosted, &image.file), PM_ELF_OK);
   assert_int_equal(pm_elf_symbols(&before, PM_ELF_DYNSYM, collect_symbol, &with), PM_ELF_OK);
   remove_sections(&image);
   assert_int_equal(pm_elf_open(&after, &hosted, &image.file), PM_ELF_OK);
   assert_int_equal(after.dynamic, PM_ELF_OK);
   assert_int_equal(after.sections, PM_ELF_OK);
   assert_int_equal(pm_elf_symbols(&after, PM_ELF_DYNSYM, collect_symbol, &without), PM_ELF_OK);
   assert_true(with.count > 0);
   check_same_lines(path, &without, &with);
   assert_false(after.has_symtab);
   assert_string_equal(after.soname, before.soname);
   assert_int_equal(after.build_id_bytes, before.build_id_bytes);
   assert_memory_equal(after.build_id, before.build_id, before.build_id_bytes);
   release_lines(&with);
   release_lines(&without);
   image_release(&image);
}

static void section_headers_are_not_needed(void **state)
{
   Dl_info info;

   (void)state;
   check_dynamic_only(in_folder("plain.so"));
   assert_true(compile_sample("sysv.so", SHARED "-Wl,--hash-style=sysv"));
   check_dynamic_only(in_folder("sysv.so"));
   if (compile_sample("32-gnu.so", SHARED "-m32 -Wl,--hash-style=gnu"))
      check_dynamic_only(in_folder("32-gnu.so"));
   assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "getpid"), &info), 0);
   check_dynamic_only(info.dli_fname);
}

/* The other way round: a table that the dynamic section hides is found by sections. */
static void a_damaged_dynamic_section_leaves_the_sections(void **state)
{
   struct lines before = {0}, after = {0};
   struct image image;
   struct pm_elf elf;
   Elf64_Ehdr *header;

   (void)state;
   image_load(&image, in_folder("plain.so"));
   assert_int_equal(pm_elf_open(&elf, &hosted, &image.file), PM_ELF_OK);
   assert_int_equal(pm_elf_symbols(&elf, PM_ELF_DYNSYM, collect_symbol, &before), PM_ELF_OK);
   header = (Elf64_Ehdr *)image.bytes;
   for (int i = 0; i < header->e_phnum; i++) {
      Elf64_Phdr *segment = (Elf64_Phdr *)(image.bytes + header->e_phoff) + i;

      if (segment->p_type == PT_DYNAMIC)
         segment->p_offset = image.count - 8;
   }
   assert_int_equal(pm_elf_open(&elf, &hosted, &image.file), PM_ELF_OK);
   assert_int_equal(elf.dynamic, PM_ELF_TRUNCATED);
   assert_string_equal(elf.soname, "");
   assert_int_equal(pm_elf_symbols(&elf, PM_ELF_DYNSYM, collect_symbol, &after), PM_ELF_OK);
   check_same_lines("by sections", &after, &before);
   release_lines(&before);
   release_lines(&after);
   image_release(&image);
}

/* ---- Limits, and damage in general. */

static void names_are_limited(void **state)
{
   static char source[PM_ELF_NAME_MAX + 200];
   struct lines lines = {0};
   struct image image;
   struct pm_elf elf;

   (void)state;
   for (int longer = 0; longer < 2; longer++) {
      size_t length = PM_ELF_NAME_MAX + (size_t)longer;

      memset(source, 'n', length);
      strcpy(source + length, ": .byte 0\nafter: .byte 0\n");
      write_file(in_folder("long.s"), source, strlen(source));
      assert_int_equal(run("cd '%s' && %s -c -o long.o long.s", folder, PM_CC), 0);
      image_load(&image, in_folder("long.o"));
      assert_int_equal(pm_elf_open(&elf, &hosted, &image.file), PM_ELF_OK);
      assert_int_equal(pm_elf_symbols(&elf, PM_ELF_SYMTAB, collect_symbol, &lines),
                       longer ? PM_ELF_MALFORMED : PM_ELF_OK);
      assert_int_equal(lines.count, longer ? 1 : 2);
      assert_true(has_line(&lines, "1 0 NOTYPE LOCAL after"));
      release_lines(&lines);
      image_release(&image);
   }
}

static void ignore_symbol(void *ctx, const struct pm_elf_symbol *symbol)
{
   /* Touches the whole name, for AddressSanitizer. */
   *(size_t *)ctx += strlen(symbol->name);
}

/* The result of opening, or of the first table that is trouble. */
static enum pm_elf_status read_all(struct image *image)
{
   size_t letters = 0;
   struct pm_elf elf;
   enum pm_elf_status status = pm_elf_open(&elf, &hosted, &image->file);

   if (status != PM_ELF_OK)
      return status;
   assert_true(memchr(elf.soname, '\0', sizeof elf.soname) != NULL);
   assert_true(elf.build_id_bytes <= PM_ELF_BUILD_ID_MAX);
   for (int table = 0; table < PM_ELF_TABLES; table++) {
      enum pm_elf_status symbols =
         pm_elf_symbols(&elf, (enum pm_elf_table)table, ignore_symbol, &letters);

      if (status == PM_ELF_OK)
         status = symbols;
   }
   if (status == PM_ELF_OK)
      status = elf.dynamic != PM_ELF_OK ? elf.dynamic : elf.sections;
   return status;
}

static void a_file_may_end_anywhere(void **state)
{
   struct image whole, part;

   (void)state;
   image_load(&whole, in_folder("plain.so"));
   assert_int_equal(read_all(&whole), PM_ELF_OK);
   for (uint64_t count = 0; count < whole.count; count += 64) {
      image_init(&part, whole.bytes, count);
      /* The section headers stand at the end. */
      assert_int_not_equal(read_all(&part), PM_ELF_OK);
      image_release(&part);
      assert_int_equal(hosted_live_bytes(), 0);
   }
   image_release(&whole);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(libraries_of_this_process_agree_with_readelf),
      cmocka_unit_test(a_large_cxx_library_agrees_with_readelf),
      cmocka_unit_test(programs_agree_with_readelf),
      cmocka_unit_test(samples_agree_with_readelf),
      cmocka_unit_test(files_of_32_bits_agree_with_readelf),
      cmocka_unit_test(kinds_of_symbols_are_told_apart),
      cmocka_unit_test(addresses_move_with_the_mapping),
      cmocka_unit_test(section_headers_are_not_needed),
      cmocka_unit_test(a_damaged_dynamic_section_leaves_the_sections),
      cmocka_unit_test(names_are_limited),
      cmocka_unit_test(a_file_may_end_anywhere),
   };

   return cmocka_run_group_tests_name("pm_elf", tests, make_folder, remove_folder);
}
