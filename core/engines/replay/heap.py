"""A heap of jobs or other items, the highest key on top; of equal keys, the first item."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from core.engines.compute.compiled import InPlaceKernel


@InPlaceKernel
def sink(heap, key, place, size):
    """Restores the heap below a place."""
    job = heap[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _above(key, heap[child + 1], heap[child]):
            child += 1
        if not _above(key, heap[child], job):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = job


@InPlaceKernel
def _above(key, one, other):
    return key[one] > key[other] or (key[one] == key[other] and one < other)


@InPlaceKernel
def stack(heap, key, size):
    """Makes a heap of the first so many jobs."""
    for place in range(size // 2 - 1, -1, -1):
        sink(heap, key, place, size)


@InPlaceKernel
def push(heap, key, size, item):
    """Puts an item in; the size that the heap has then."""
    place = size
    while place > 0 and _above(key, item, heap[(place - 1) // 2]):
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = item
    return size + 1


@InPlaceKernel
def pop(heap, key, size):
    """Takes the top away; returns the size that remains."""
    heap[0] = heap[size - 1]
    sink(heap, key, 0, size - 1)
    return size - 1
