#define _GNU_SOURCE 1
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clinux.h"

// Whether an object has relocations in what is else read-only: such pages differ from the file.
static int has_text_relocations(const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL)) return 1;
  }
  return 0;
}

// Unmaps the pages of one object that are nothing but its file's; whichever is touched again is mapped again.
static int release_file_pages(struct dl_phdr_info *object, size_t size, void *context) {
  if (has_text_relocations(object)) return 0;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    const uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
    madvise((void *)start, object->dlpi_addr + segment->p_vaddr + segment->p_memsz - start, MADV_DONTNEED);
  }
  return 0;
}

void clinux_release_memory(void) { malloc_trim(0); }

void clinux_release_program(void) { dl_iterate_phdr(release_file_pages, NULL); }
