// Inline shims only: no logic.
#pragma once
#include <uninorm.h>
#include <unicase.h>
#include <uniwidth.h>
#include <unictype.h>
#include <unistr.h>
