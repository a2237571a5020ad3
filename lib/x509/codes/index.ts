import { type CodeTable, error } from "../../findings/codes";

/** Codes for certificate files that cannot be read. */
export const certificateFileErrors = {
  "certificate-file-unknown": error(
    "A file is neither PEM, DER, PKCS#7 nor PKCS#12",
    "name files of certificates, or folders of them",
  ),
  "certificate-file-unreadable": error(
    "A file begins as a certificate and can't be read as one",
    "fetch it again; a malformed certificate has to be issued again",
  ),
  "certificate-file-without-leaf": error(
    "A file holds no certificate of a server",
    "name the file that contains it; CA certificates alone can't be migrated",
  ),
  "file-missing": error("The file or folder does not exist", "check its path"),
  "file-link-broken": error("A link leads to no file", "correct the link, or remove it"),
  "file-not-regular": error("What is named is neither a file nor a folder", "name a file or a folder"),
  "files-too-many": error("There are more files than are read in one run", "name fewer folders"),
  "folder-too-deep": error("Folders are nested deeper than what is read", "name a folder further down"),
  "certificate-file-pem-damaged": error(
    "A block of a PEM file holds what is no base64 or no certificate",
    "copy the file again, as it is",
  ),
  "certificate-file-pem-unfinished": error("A PEM file ends within a block", "copy the whole of it"),
  "certificate-file-password": error(
    "A PKCS#12 file is encrypted and none of the passwords fits",
    "give the right one in a file, with --password-file",
  ),
  "certificate-file-encryption": error(
    "A PKCS#12 file is encrypted by a method that is not supported",
    "export it again with AES-256 or 3DES",
  ),
  "certificate-file-iterations": error(
    "The key of a PKCS#12 file is derived in more rounds than are worked through",
    "export it again with fewer",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof certificateFileErrors, true> {}
}
