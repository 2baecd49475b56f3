"""A filter of system calls (seccomp, classic BPF) for the process of a guest: no processes, no sockets, no
shared memory, no look into other processes, and no change of files that it does not even open.

The program reads the number of a call and answers "allowed" or "not permitted". It has one test per forbidden call,
and looks at one argument of the calls in `CHECKED`. Some of them need a word:

1. `clone` may start threads, but not processes. `clone3`, whose flags a filter cannot see, does not exist here: the C
   library then uses `clone`.
2. `kill`, `tgkill` and `prlimit64` may be used for this process only. `fcntl` and `ioctl` may not name a process that
   is sent signals about a file, nor lock files, nor do anything to a terminal but look at it.
3. `socketpair` may make streams. Datagrams could be sent to any socket of the user that has a name.
4. Landlock does not cover calls that change a file by its name without opening it: its mode, owner, times, attributes.
"""

from __future__ import annotations

import ctypes
import errno
from typing import NamedTuple

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, EQUAL, AT_LEAST, MASK, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
NUMBER, MACHINE, FIRST, ARGUMENT = 0, 4, 16, 8  # offsets in `struct seccomp_data`; of the first argument's low half
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
    "bind": (49, 200),
    "connect": (42, 203),
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
    "kcmp": (312, 272),
    "process_mrelease": (448, 448),
    "syslog": (103, 116),
    # memory and messages that processes share, also those that others have made
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # files without opening them, what others do with files, and locks that others wait for
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "truncate": (76, 45),
    "flock": (73, 32),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
}
CLONE3 = 435


class Check(NamedTuple):
    """A call that is allowed if an argument, or the bits of it in `mask`, has one of these values."""

    numbers: tuple[int, int]  # on x86-64 and ARM64
    argument: int  # from 0
    allowed: tuple[int, ...]
    mask: int = 0xFFFFFFFF


OWN = -1  # in `allowed`: the number of this process
CHECKED = {
    "clone": Check((56, 220), 0, (CLONE_THREAD,), CLONE_THREAD),
    "kill": Check((62, 129), 0, (OWN,)),
    "tgkill": Check((234, 131), 0, (OWN,)),
    "prlimit64": Check((302, 261), 0, (0, OWN)),
    "socketpair": Check((53, 199), 1, (1,), 0xF),  # SOCK_STREAM
    "fcntl": Check((72, 25), 1, (0, 1, 2, 3, 4, 1030, 1032)),  # F_DUPFD, F_GETFD to F_SETFL, F_DUPFD_CLOEXEC, pipes
    "ioctl": Check((16, 29), 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),  # is it a terminal, its size, ...
}


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
    for check in CHECKED.values():
        code += _check_argument(check, column, own_pid)
    code.append((RETURN, 0, 0, ALLOW))
    instructions = (Instruction * len(code))(*[Instruction(*entry) for entry in code])
    return Program(len(code), instructions)


def _check_argument(check: Check, column: int, own_pid: int) -> list[tuple[int, int, int, int]]:
    """Return the instructions for a call that depends on an argument. They end if it is this call."""
    test = [(LOAD, 0, 0, FIRST + ARGUMENT * check.argument), (MASK, 0, 0, check.mask)]
    for value in check.allowed:
        test += [(EQUAL, 0, 1, own_pid if value == OWN else value), (RETURN, 0, 0, ALLOW)]
    test.append((RETURN, 0, 0, REFUSE | errno.EPERM))
    return [(EQUAL, 0, len(test), check.numbers[column]), *test]
