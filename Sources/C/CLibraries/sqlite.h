// Declarations alone: the library is loaded by name when a database is read.
#pragma once
#include <sqlite3.h>
