#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_hex.h"

#define DATA_SPACE 0x800000u /* avr-gcc's addresses of RAM begin here, those of flash at 0 */

static bool fail(const char *path, const char *why)
{
	fprintf(stderr, "cowboard-board: %s: %s; expected an ELF or hex file for the ATmega328P\n", path, why);
	return false;
}

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	uint8_t *bytes = NULL;
	if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
		*size = (size_t)ftell(file);
		rewind(file);
		bytes = malloc(*size);
		if (bytes && fread(bytes, 1, *size, file) != *size) {
			free(bytes);
			bytes = NULL;
		}
	}
	fclose(file);
	return bytes;
}

static bool is_within(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* Every loaded segment goes to its load address: the variables' first values too, behind the code. */
static bool copy_segments(const uint8_t *bytes, size_t size, const Elf32_Ehdr *head, struct image *image)
{
	for (int number = 0; number < head->e_phnum; number++) {
		Elf32_Phdr part;
		uint64_t at = head->e_phoff + (uint64_t)number * head->e_phentsize;
		if (!is_within(size, at, sizeof part))
			return false;
		memcpy(&part, bytes + at, sizeof part);
		if (part.p_type != PT_LOAD || part.p_filesz == 0 || part.p_paddr >= DATA_SPACE)
			continue;
		if (!is_within(size, part.p_offset, part.p_filesz) || !is_within(FLASH_BYTES, part.p_paddr, part.p_filesz))
			return false;
		memcpy(image->flash + part.p_paddr, bytes + part.p_offset, part.p_filesz);
		if (part.p_paddr + part.p_filesz > image->flash_used)
			image->flash_used = part.p_paddr + part.p_filesz;
	}
	return image->flash_used > 0;
}

/* The linker's `_end`, else `__heap_start`: the first byte of RAM that no variable uses. */
static void find_free_ram(const uint8_t *bytes, size_t size, const Elf32_Ehdr *head, struct image *image)
{
	for (int number = 0; number < head->e_shnum; number++) {
		Elf32_Shdr table, names;
		uint64_t at = head->e_shoff + (uint64_t)number * head->e_shentsize;
		if (!is_within(size, at, sizeof table))
			return;
		memcpy(&table, bytes + at, sizeof table);
		uint64_t names_at = head->e_shoff + (uint64_t)table.sh_link * head->e_shentsize;
		if (table.sh_type != SHT_SYMTAB || !is_within(size, names_at, sizeof names))
			continue;
		memcpy(&names, bytes + names_at, sizeof names);
		for (uint64_t offset = 0; offset + sizeof(Elf32_Sym) <= table.sh_size; offset += sizeof(Elf32_Sym)) {
			Elf32_Sym symbol;
			if (!is_within(size, table.sh_offset + offset, sizeof symbol))
				return;
			memcpy(&symbol, bytes + table.sh_offset + offset, sizeof symbol);
			uint64_t name_at = (uint64_t)names.sh_offset + symbol.st_name;
			if (!is_within(size, name_at, sizeof "__heap_start"))
				continue;
			const char *name = (const char *)bytes + name_at;
			bool is_end = strcmp(name, "_end") == 0;
			if (is_end || (!image->free_ram && strncmp(name, "__heap_start", sizeof "__heap_start") == 0))
				image->free_ram = (uint16_t)(symbol.st_value - DATA_SPACE);
		}
	}
}

static bool read_elf(const char *path, struct image *image)
{
	size_t size = 0;
	uint8_t *bytes = read_file(path, &size);
	if (!bytes)
		return fail(path, "can't be read");
	Elf32_Ehdr head;
	bool is_good = size >= sizeof head;
	if (is_good) {
		memcpy(&head, bytes, sizeof head);
		is_good = head.e_ident[EI_CLASS] == ELFCLASS32 && head.e_machine == EM_AVR &&
			  copy_segments(bytes, size, &head, image);
	}
	if (is_good)
		find_free_ram(bytes, size, &head, image);
	free(bytes);
	return is_good || fail(path, "isn't a linked AVR program of at most 32 KB");
}

static bool read_hex(const char *path, struct image *image)
{
	ihex_chunk_p chunks = NULL;
	int count = read_ihex_chunks(path, &chunks);
	for (int number = 0; number < count; number++) {
		const ihex_chunk_t *chunk = &chunks[number];
		if (!is_within(FLASH_BYTES, chunk->baseaddr, chunk->size)) {
			free_ihex_chunks(chunks);
			return fail(path, "goes beyond 32 KB");
		}
		memcpy(image->flash + chunk->baseaddr, chunk->data, chunk->size);
		if (chunk->baseaddr + chunk->size > image->flash_used)
			image->flash_used = chunk->baseaddr + chunk->size;
	}
	if (chunks)
		free_ihex_chunks(chunks);
	return image->flash_used > 0 || fail(path, "isn't Intel hex");
}

bool image_read(const char *path, struct image *image)
{
	memset(image, 0, sizeof *image);
	memset(image->flash, 0xff, sizeof image->flash); /* as erased */
	FILE *file = fopen(path, "rb");
	if (!file)
		return fail(path, "can't be opened");
	unsigned char mark[4] = {0};
	size_t got = fread(mark, 1, sizeof mark, file);
	fclose(file);
	if (got == sizeof mark && memcmp(mark, ELFMAG, SELFMAG) == 0)
		return read_elf(path, image);
	return mark[0] == ':' ? read_hex(path, image) : fail(path, "is of another kind");
}
