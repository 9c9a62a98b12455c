// Inline shims only: no logic.
#pragma once
#include <ini.h>
