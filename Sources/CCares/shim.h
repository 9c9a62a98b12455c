// Inline shims only: no logic.
#pragma once
#include <ares.h>
#include <ares_nameser.h>
