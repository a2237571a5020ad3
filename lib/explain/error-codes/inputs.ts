import { type CodeMeaning, error } from "../../findings/codes";

type Codes = Readonly<Record<string, CodeMeaning>>;

/** Codes for values that are not valid hostnames, in any input. */
export const hostnameErrors: Codes = {
  "hostname-empty": error("A hostname is empty", "write the name that clients connect to, as in shop.example.com"),
  "hostname-is-reference": error(
    "A hostname is a reference, and it must be known before Terraform runs",
    "write the name itself",
  ),
  "hostname-control-character": error("A hostname contains a control character", "remove it"),
  "hostname-has-scheme": error("A hostname is a URL", "write the name alone, without what stands before and after it"),
  "hostname-has-path": error("A hostname has a path or a query", "write the name alone: paths belong to the URL map"),
  "hostname-has-user-info": error("A hostname has a user or mailbox before '@'", "write the name alone"),
  "hostname-has-port": error("A hostname has a port", "write the name alone: a certificate is for every port of it"),
  "hostname-is-ip-address": error(
    "A hostname is an IP address, and certificates are for DNS names only",
    "give the name that clients connect to",
  ),
  "hostname-empty-label": error(
    "A label of a hostname is empty, or nothing follows '*.'",
    "remove the extra dot, or write what belongs there",
  ),
  "hostname-bad-wildcard": error(
    "A hostname has '*' elsewhere than alone in its first label",
    "write '*.' before a domain, or the names themselves",
  ),
  "hostname-bad-character": error(
    "A hostname contains a character that no hostname has",
    "use letters, digits, '-' and dots",
  ),
  "hostname-underscore": error(
    "A hostname contains '_', which public authorities don't certify",
    "rename the host, or serve it by a wildcard",
  ),
  "hostname-hyphen-at-edge": error("A label of a hostname begins or ends with '-'", "look the name up once more"),
  "hostname-label-too-long": error("A label of a hostname has more than 63 characters", "use a shorter one"),
  "hostname-too-long": error("A hostname has more than 253 characters", "use a shorter one"),
  "hostname-bad-idn": error(
    "A hostname can't be turned into ASCII by the rules of internationalized names",
    "write it as it is registered, or in its form that begins with xn--",
  ),
  "hostname-numeric-tld": error("The last label of a hostname is a number", "give the whole name"),
  "hostname-single-label": error("A hostname has one label alone", "give the whole name, as in shop.example.com"),
  "hostname-not-public": error(
    "A hostname lies in a domain that no public authority certifies, as in .internal or .test",
    "use a name in a domain that you registered, or keep to an authority of your own",
  ),
  "hostname-is-public-suffix": error(
    "A hostname is a public suffix, under which others register names",
    "give a name below it that is yours",
  ),
  "hostname-wildcard-over-public-suffix": error(
    "A wildcard stands right under a public suffix: it would cover names of others",
    "put the wildcard under a domain of yours",
  ),
};

/** Codes for certificate files that cannot be read. */
export const certificateFileErrors: Codes = {
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
    "name the file that does; certificates of authorities alone are nothing to migrate",
  ),
  "file-missing": error("There is no such file or folder", "look at its path"),
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
};

/** Codes for migration specs that cannot be read. */
export const documentErrors: Codes = {
  "document-empty": error(
    "The document says nothing",
    "write a migration, or let 'cert-migration inventory' write one",
  ),
  "document-several": error("A second document begins after '---'", "write one migration per file"),
  "document-syntax": error("The document is neither YAML nor JSON", "mend it at the line and column of the message"),
  "document-unquoted-wildcard": error("A wildcard stands without quotes", "put double quotes around it"),
  "document-too-large": error(
    "The document is longer than what is read",
    "divide it: 'splitMigration' makes stacks of one that is large",
  ),
  "document-too-many-values": error(
    "The document has more values than are read",
    "divide it, or repeat less by aliases",
  ),
  "document-duplicate-key": error("A key is given twice in the same place", "keep one of them"),
  "document-bad-alias": error("'*' begins an alias that can't be followed", "put the value in quotes, or write it out"),
  "document-too-deep": error("Lists and mappings are nested deeper than in any migration", "look at the indentation"),
  "document-more-problems": error("There are more problems than are told", "mend these first"),
  "document-missing-property": error("Something that must be said is not", "add the property that is named"),
  "document-unknown-property": error("A property is none of a migration", "use one of those that the message names"),
  "document-wrong-type": error("A value is of another kind", "give one of the kind that is named"),
  "document-value-not-allowed": error("A value is none of those that are allowed", "use one of them"),
  "document-out-of-range": error("A number or a length is out of its range", "use one within"),
  "document-empty-list": error("A list that must have an item is empty", "give one, or leave the property out"),
  "document-file-unreadable": error(
    "A file that the document names can't be read",
    "give its path from the folder of the document",
  ),
};
