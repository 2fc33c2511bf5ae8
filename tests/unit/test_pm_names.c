/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_names.c: names without their parameter list, against c++filt and by hand.
 *
 * c++filt --no-params leaves out what follows the name, and of a template the type of its
 * result before it, too: that is a blank and the name, at the end of ours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm_names.h"

/* In memory of just that size, so that AddressSanitizer sees a byte too many. */
static size_t length_of(const char *name)
{
   size_t bytes = strlen(name) + 1;
   char *room = malloc(bytes);
   assert_non_null(room);
   memcpy(room, name, bytes);
   size_t length = pm_name_without_parameters(room);
   free(room);
   return length;
}

static void cut_to(const char *name, const char *should)
{
   size_t length = length_of(name);
   if (length != strlen(should) || memcmp(name, should, length) != 0)
      fail_msg("'%s' is cut to '%.*s'", name, (int)length, name);
}

static void with_and_without(void **state)
{
   (void)state;
   cut_to("main", "main");
   cut_to("", "");
   cut_to("ns::fn(int) const", "ns::fn");
   cut_to("fn(int (*)(char), void (*)())", "fn");
   cut_to("fn(int) [clone .cold]", "fn");
   cut_to("(anonymous namespace)::fn(int)", "(anonymous namespace)::fn");
   cut_to("std::function<void (int)>::swap(std::function<void (int)>&)",
          "std::function<void (int)>::swap");
   cut_to("outer(int)::{lambda(char)#1}::operator()(char) const",
          "outer(int)::{lambda(char)#1}::operator()");
   cut_to("ns::holder<&(fn(int))>::get()", "ns::holder<&(fn(int))>::get");
   cut_to("ns::type::operator std::vector<int>() const", "ns::type::operator std::vector<int>");
   /* A word that only begins, or ends, as an operator's name does. */
   cut_to("operators<int>(int)", "operators<int>");
   cut_to("my_operator<(void (*)(int))0>(int)", "my_operator<(void (*)(int))0>");
}

/* Rust's names have no list, and brackets that mean something else. */
static void rust(void **state)
{
   (void)state;
   static const char *const names[] = {
      "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
      "core::ptr::drop_in_place<fn(i32) -> alloc::string::String>",
      "<core::iter::Map<I, F> as Iterator>::fold::{{closure}}",
      "core::ops::function::FnOnce::call_once{{vtable.shim}}",
   };
   for (size_t n = 0; n < sizeof names / sizeof *names; n++)
      cut_to(names[n], names[n]);
}

/* What is no name of any language: all of it, or up to a list, and never beyond its end. */
static void broken(void **state)
{
   (void)state;
   static const char *const whole[] = {"fn(int",    "fn)",      "a<b(",    "a>b", "(((",
                                       "operator<", "operator", "fn((int)"};
   for (size_t n = 0; n < sizeof whole / sizeof *whole; n++)
      cut_to(whole[n], whole[n]);
   cut_to("fn(int))", "fn");
   cut_to("operator(", "operator(");
   cut_to("operator()", "operator()");
   cut_to("operator()()", "operator()");
}

/* Mangled: every operator that has brackets, as a member, a template, and neither. */
#define OPERATORS                                                                          \
   "_ZltRK1AS1_ _ZgtRK1AS1_ _ZleRK1AS1_ _ZgeRK1AS1_ _ZlsRSoRK1A _ZrsRSiR1A _ZssRK1AS1_ "       \
   "_ZlSR1Ai _ZrSR1Ai _ZN1AltERKS_ _ZNK1AgtERKS_ _ZN1AptEv _ZNK1ApmEMS_i _ZN1AclEv _ZN1AclEi " \
   "_ZltIiEbRK1AIT_ES4_ _ZgtIiEbRK1AIT_ES4_ _ZlsIcERSoS0_RK1AIT_E _ZrsIcERSiS0_R1AIT_E "       \
   "_ZeqIiEbRK1AIT_ES4_ _ZN1AcvbEv _ZN1AcvSt6vectorIiSaIiEEEv _ZN1AclIiEEvT_ _ZN1AmiEi "       \
   "_ZN1AixEi _ZN1AnwEm _ZN1AdlEPv _Zli2_sPKc _ZN1AIXadL_Z1fvEEE1gEv _ZN1AclIPFviEEEvT_"

/* NAMES, one a line: those above, and the functions of the C++ library. */
#define NAMES                                                                              \
   "{ printf '%s\\n' " OPERATORS ";"                                                       \
   " nm -D --defined-only \"$(" PM_CC " -print-file-name=libstdc++.so.6)\" |"                 \
   " sed -n 's/.* [TWi] \\(_Z[^@]*\\).*/\\1/p' | grep -v '^_Z[GTZ]' | sort -u; }"

static FILE *output_of(const char *command)
{
   fflush(NULL);
   FILE *out = popen(command, "r");
   assert_non_null(out);
   return out;
}

static void as_cxxfilt_does(void **state)
{
   (void)state;
   FILE *full = output_of(NAMES " | LC_ALL=C c++filt");
   FILE *cut = output_of(NAMES " | LC_ALL=C c++filt --no-params");
   char *name = NULL, *should = NULL;
   size_t name_room = 0, should_room = 0, compared = 0;
   while (getline(&name, &name_room, full) > 0) {
      assert_true(getline(&should, &should_room, cut) > 0);
      name[strcspn(name, "\n")] = should[strcspn(should, "\n")] = '\0';
      size_t length = length_of(name), bytes = strlen(should);
      const char *end = name + length - bytes;
      if (length < bytes || memcmp(end, should, bytes) != 0 || (end > name && end[-1] != ' '))
         fail_msg("'%s' is cut to '%.*s', by c++filt to '%s'", name, (int)length, name, should);
      compared++;
   }
   assert_true(compared > 3000);
   assert_int_equal(pclose(full), 0);
   assert_int_equal(pclose(cut), 0);
   free(name);
   free(should);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_and_without),
      cmocka_unit_test(rust),
      cmocka_unit_test(broken),
      cmocka_unit_test(as_cxxfilt_does),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
