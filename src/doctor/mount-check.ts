// The disk under the state folder: whether it can be written to, supports locks, and survives a restart.
import { realpathSync } from "node:fs";
import { readText } from "../common/memory-budget.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Network file systems: another machine decides whether locks and flushes hold. */
const NETWORK =
  /^(?:nfs4?|cifs|smb\d?|smbfs|9p|afs|ceph|lustre|ncpfs|davfs|fuse\.(?:sshfs|s3fs|rclone|gcsfuse|goofys|glusterfs|ceph|ceph-fuse|davfs2|grpcfuse|smbnetfs))$/;
const IN_MEMORY = /^(?:tmpfs|ramfs)$/;
/** The layers of a container. */
const IN_CONTAINER = /^(?:overlay|aufs)$/;

interface Mount {
  point: string;
  type: string;
  isReadOnly: boolean;
}

/** Finds nothing where the system does not list its mounts as Linux does. */
export function checkMount(folder: string, list: string | null = readText("/proc/self/mountinfo")): Finding[] {
  const mount = list === null ? null : mountOf(realpathSync(folder), list);
  if (mount === null) return [];
  const { point, type, isReadOnly } = mount;
  if (isReadOnly) {
    const remedy = `Find out why (dmesg), then: mount -o remount,rw '${point}'`;
    return [problem("mount", `${point}, of type ${type}, is mounted read-only.`, remedy)];
  }
  if (NETWORK.test(type)) {
    const text = `${point} is a network disk (${type}), on which locks may not hold and flushed data may be lost.`;
    return [warning("mount", text, "Keep the state on a disk of this machine, and put the backups on that one.")];
  }
  if (IN_MEMORY.test(type) || IN_CONTAINER.test(type)) {
    const end = IN_MEMORY.test(type) ? "next restart of the machine" : "container";
    const text = `${point} is of type ${type}: the state is lost with the ${end}.`;
    return [warning("mount", text, "Keep the state on a disk, in a container on a volume.")];
  }
  return [ok("mount", `${point}, of type ${type}.`)];
}

/** The deepest mount that contains the path; of several at one place the last, which covers the others. */
function mountOf(path: string, list: string): Mount | null {
  let deepestMount: Mount | null = null;
  for (const line of list.split("\n")) {
    // 36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    const [mount = "", others = ""] = line.split(" - ");
    const point = mount
      .split(" ")[4]
      ?.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
    const [type, , superOptions = ""] = others.split(" ");
    if (point === undefined || type === undefined) continue;
    const isAround = path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`);
    if (!isAround || point.length < (deepestMount?.point.length ?? 0)) continue;
    const options = `${mount.split(" ")[5]},${superOptions}`.split(",");
    deepestMount = { point, type, isReadOnly: options.includes("ro") || options.includes("emergency_ro") };
  }
  return deepestMount;
}
