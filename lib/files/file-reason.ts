const reasons: Readonly<Record<string, string>> = {
  EACCES: "its permissions forbid it",
  EBUSY: "it is in use",
  EDQUOT: "the quota of its file system is used up",
  EFBIG: "it would be larger than its file system allows",
  EIO: "its disk reports an error",
  EEXIST: "there is a file in its place",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "its folder is missing, or takes no new files",
  ENOSPC: "no space is left on its file system",
  ENOTDIR: "there is a file in its place",
  ENXIO: "it has no reader, or its device is missing",
  EPERM: "its permissions forbid it",
  EROFS: "its file system is read-only",
};

/**
 * Returns the reason why a file or a folder cannot be written, for the user who named it. Rare reasons are the file
 * system's own code.
 */
export function fileReason(error: unknown): string {
  const { code = "for an unknown reason" } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}
