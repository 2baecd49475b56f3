"""A filter of system calls (seccomp, classic BPF) for the process of a guest: no processes, no sockets, no
shared memory, no look into other processes.

The program reads the number of a call and answers "allowed" or "not permitted". It has one test per forbidden call,
and looks at the first argument of four calls:

1. `clone` may start threads, but not processes. `clone3`, whose flags a filter cannot see, does not exist here: the C
   library then uses `clone`.
2. `kill`, `tgkill` and `prlimit64` may be used for this process only.
"""

from __future__ import annotations

import ctypes
import errno

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, EQUAL, HAS_BIT, AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
NUMBER, MACHINE, FIRST = 0, 4, 16  # offsets in `struct seccomp_data`; low half of the first argument
X32 = 0x40000000  # calls of another convention on x86-64, all refused
CLONE_THREAD = 0x00010000

# The number by which a filter recognises the machine, and the numbers of the calls on it.
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
FORBIDDEN: dict[str, tuple[int, int | None]] = {  # name -> numbers on x86-64 and ARM64; None if there is no such call
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "socket": (41, 198),
    "io_uring_setup": (425, 425),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
}
CLONE, CLONE3 = (56, 220), 435
OWN_ONLY = {"kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261)}


class Instruction(ctypes.Structure):
    """`struct sock_filter`."""

    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class Program(ctypes.Structure):
    """`struct sock_fprog`. It keeps its instructions alive."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.POINTER(Instruction)))


def make_filter(machine: str, own_pid: int) -> Program:
    """Return the filter for a process on this machine. Raise OSError for a machine that is not in the tables."""
    if machine not in MACHINES:
        raise OSError(errno.ENOSYS, f"no filter for {machine}")
    column = list(MACHINES).index(machine)
    refuse = REFUSE | errno.EPERM
    code = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, MACHINES[machine]), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    if machine == "x86_64":
        code += [(AT_LEAST, 0, 1, X32), (RETURN, 0, 0, refuse)]
    for numbers in FORBIDDEN.values():
        if (number := numbers[column]) is not None:
            code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, refuse)]
    code += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, REFUSE | errno.ENOSYS)]
    code += [
        (EQUAL, 0, 4, CLONE[column]),
        (LOAD, 0, 0, FIRST),
        (HAS_BIT, 0, 1, CLONE_THREAD),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, refuse),
    ]
    for name, numbers in OWN_ONLY.items():
        none = (EQUAL, 1, 0, 0) if name == "prlimit64" else (EQUAL, 1, 0, own_pid)  # 0 is the own process there
        code += [
            (EQUAL, 0, 5, numbers[column]),
            (LOAD, 0, 0, FIRST),
            none,
            (EQUAL, 0, 1, own_pid),
            (RETURN, 0, 0, ALLOW),
            (RETURN, 0, 0, refuse),
        ]
    code.append((RETURN, 0, 0, ALLOW))
    instructions = (Instruction * len(code))(*[Instruction(*entry) for entry in code])
    return Program(len(code), instructions)
