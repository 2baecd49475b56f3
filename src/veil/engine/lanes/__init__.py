"""A ground program as native code in which every bit is a world: circuit, machine code, kernels, machine."""

from __future__ import annotations

from veil.faces import lazy_face
from veil.limits import check_address_space

check_address_space()  # numba, LLVM and OpenBLAS do not end where there is less

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
