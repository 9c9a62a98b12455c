#define _GNU_SOURCE 1
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "clinux.h"

void *clinux_locale_open(void) { return newlocale(LC_TIME_MASK | LC_CTYPE_MASK, "", NULL); }

const char *clinux_locale_weekday(void *locale, int day) { return nl_langinfo_l(DAY_1 + day, locale); }

const char *clinux_locale_month(void *locale, int month) { return nl_langinfo_l(MON_1 + month, locale); }

int clinux_locale_has_twelve_hours(void *locale) {
  const char *format = nl_langinfo_l(T_FMT, locale);
  return strstr(format, "%r") != NULL || strstr(format, "%I") != NULL || strstr(format, "%l") != NULL;
}

void clinux_locale_close(void *locale) { freelocale(locale); }
