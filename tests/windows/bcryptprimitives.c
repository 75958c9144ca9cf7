/* The DLL from which Rust's standard library takes random bytes, for versions of Wine that lack it.
 * It forwards to the older function that Wine has. */

#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length)
{
    const size_t most = 1 << 20;
    while (length > 0) {
        size_t count = length < most ? length : most;
        if (!SystemFunction036(buffer, (unsigned long)count))
            return 0;
        buffer += count;
        length -= count;
    }
    return 1;
}
