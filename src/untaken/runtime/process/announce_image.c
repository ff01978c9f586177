/* Linked into every executable and shared object: tells the runtime where its ids and globals are. An image may
 * have none, so the names are weak. */
#include "abi.h"

extern const uint8_t __start_untaken_ids[] __attribute__((weak, visibility("hidden")));
extern const uint8_t __stop_untaken_ids[] __attribute__((weak, visibility("hidden")));
extern const struct untaken_global __start_untaken_globals[] __attribute__((weak, visibility("hidden")));
extern const struct untaken_global __stop_untaken_globals[] __attribute__((weak, visibility("hidden")));

__attribute__((constructor(101))) static void register_image(void) {
    __untaken_register_image(__start_untaken_ids, __stop_untaken_ids, __start_untaken_globals,
                             __stop_untaken_globals);
}
