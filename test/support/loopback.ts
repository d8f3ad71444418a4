// A network namespace of its own has one interface, the loopback, and it is down: this brings it up (Linux).
import { dlopen, FFIType, ptr } from "bun:ffi";

const [AF_INET, SOCK_DGRAM] = [2, 2];
/** Sets an interface's flags (netdevice(7)): its name in the first sixteen bytes, then the flags up and running. */
const SIOCSIFFLAGS = 0x8914n;
const IFF_UP_RUNNING = 0x41;
const REQUEST_BYTES = 40;

export function raiseLoopback(): void {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  });
  const request = new Uint8Array(REQUEST_BYTES);
  request.set(new TextEncoder().encode("lo"));
  new DataView(request.buffer).setInt16(16, IFF_UP_RUNNING, true);
  const socket = symbols.socket(AF_INET, SOCK_DGRAM, 0);
  if (symbols.ioctl(socket, SIOCSIFFLAGS, ptr(request)) !== 0) throw new Error("the loopback stays down");
}
