// Inline shims only: no logic.
#pragma once
#include "digest.h"
#include "tls.h"
