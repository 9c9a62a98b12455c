// The parts of libomemo-c (GPL-3) that Ratchet uses.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <omemo/signal_protocol.h>
#include <omemo/key_helper.h>
#include <omemo/protocol.h>
#include <omemo/session_builder.h>
#include <omemo/session_cipher.h>
#include <omemo/session_record.h>
#include <omemo/session_state.h>
