#include "poisoned_heap.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace {

bool fills = false;
unsigned char filling = 0;

}  // namespace

void judge::fill_new_memory(unsigned char byte) {
    fills = true;
    filling = byte;
}

void judge::leave_new_memory() { fills = false; }

// The program's own operator new, which every container uses. The standard library's array forms call it, too.
void* operator new(std::size_t size) {
    void* const memory = std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) throw std::bad_alloc();
    if (fills) std::memset(memory, filling, size);
    return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
