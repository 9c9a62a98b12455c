// Declarations alone: ConfabCLI loads the library by name.
#pragma once
#include <qrencode.h>
