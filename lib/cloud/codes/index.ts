import { type CodeTable, error } from "../../findings/codes";
import type { HandshakeErrorCode } from "../tls/report";

export const cloudErrors = {
  "port-malformed": error("The port is not valid", "use 0 to 65535; 0 takes a free port"),
  "port-forbidden": error("This user may not listen on the port", "use a port from 1024, or 0 for a free port"),
  "port-taken": error("The port is in use", "use another port, or 0 for a free port"),
  "authority-bad-common-name": error("The common name of the CA is too short or too long", "use 1 to 64 characters"),
  "authority-no-names": error("A certificate has no name", "give at least one DNS name"),
  "authority-bad-name": error("A name of a certificate is not a DNS name", "write it in lower-case A-labels"),
  "authority-bad-validity": error("The validity is not a positive number of days", "use a number above 0"),
  "authority-outlived": error("A certificate would be valid longer than its CA", "use a shorter validity"),
  "authority-key-mismatch": error(
    "The key pair has another algorithm than requested",
    "use a key pair of that algorithm",
  ),
  "authority-state-unreadable": error(
    "The stored CA is not a certificate with its key",
    "restore the file, or start without it",
  ),
  "world-not-empty": error(
    "The kept state already has resources, so that no project can be loaded into it",
    "use another file for --state, or leave out --world",
  ),
  "clock-malformed": error(
    "The time to advance the clock is not valid",
    "use milliseconds within the range of the message",
  ),
  "control-body-malformed": error("The body of a control call is not JSON", "send a JSON object"),
  "control-field-unknown": error("A control call has an unknown field", "use a field that the message lists"),
  "faults-malformed": error("The fault plan is not valid", "fix the field that the message names"),
  "dns-name-empty": error("A DNS name is empty", "write a name such as 'www.example.com.'"),
  "dns-name-empty-label": error("A DNS name has an empty label", "remove the extra dot"),
  "dns-name-bad-escape": error(
    "A DNS name has a backslash without a valid escape",
    "escape one character, or three digits up to 255",
  ),
  "dns-name-bad-character": error(
    "A DNS name has a character that is not allowed",
    "use ASCII; write other letters in 'xn--' form",
  ),
  "dns-name-relative": error("A DNS name is relative", "end it with a dot"),
  "dns-name-label-too-long": error("A label of a DNS name is longer than 63 octets", "use a shorter label"),
  "dns-name-too-long": error("A DNS name is longer than 255 octets", "use a shorter name"),
  "dns-bad-answer": error(
    "A name server sent an answer that cannot be decoded",
    "check the address of the name server",
  ),
  "dns-unexpected-rcode": error("A name server answered with an error", "check the zone and its name server"),
  "dns-timeout": error("A name server did not answer in time", "check the address of the name server, and its network"),
  "rrdata-unknown-type": error("The cloud does not serve records of this type", "use a type that the message lists"),
  "rrdata-incomplete": error("Record data ends too early", "add the missing field"),
  "rrdata-bad-number": error("A number in record data is not valid", "use a number within the range of the message"),
  "rrdata-bad-ipv4": error("Record data is not an IPv4 address", "write it as in 203.0.113.7"),
  "rrdata-bad-ipv6": error("Record data is not an IPv6 address", "write it as in 2001:db8::7"),
  "rrdata-string-too-long": error(
    "A string in record data is longer than 255 octets",
    "split it into several quoted strings",
  ),
  "rrdata-bad-caa-tag": error("The tag of a CAA record is not valid", "use letters and digits, as in 'issue'"),
  "rrdata-bad-binary": error("Record data is not hexadecimal or base64", "use the encoding that the message names"),
  "rrdata-too-long": error("Record data is longer than a record can be", "shorten it"),
  "rrdata-control-character": error(
    "Record data contains a control character",
    "write it as three decimal digits after a backslash",
  ),
  "rrdata-open-quote": error("A quotation mark in record data has no counterpart", "add or remove a quotation mark"),
  "rrdata-bad-escape": error("Record data has an escape that is not valid", "use three decimal digits up to 255"),
  "name-server-not-started": error("The name server could not start", "check whether its port is in use"),
  "previous-provider-no-address": error("The previous provider has no address", "give at least one, as in 127.0.0.1"),
  "previous-provider-no-certificate": error(
    "The previous provider has no certificate",
    "give at least one certificate",
  ),
  "project-malformed": error("The settings of a project are not valid", "fix the field that the message names"),
  "state-unreadable": error("The state file cannot be read", "check its path and permissions"),
  "state-unwritable": error("The state file cannot be written", "name another file"),
  "state-in-use": error("Another process uses the state file", "stop it, or name another file"),
  "listener-address-not-loopback": error("The address is not a loopback address", "use one of 127.0.0.0/8, or ::1"),
  "listener-address-in-use": error("Another process listens at the address and port", "stop it, or use another port"),
  "listener-address-unavailable": error(
    "This machine does not have the address",
    "add it to the loopback interface, or use 127.0.0.1",
  ),
  "listener-port-forbidden": error("This user may not listen on the port", "use a port from 1024"),
  "server-certificate-unreadable": error(
    "A certificate of a listener is not valid PEM",
    "give the server's certificate, then its intermediates",
  ),
} as const satisfies CodeTable;

export const listenerHandshakeCodes = {
  "client-closed": error("the client closed the connection before its ClientHello", "check the client"),
  "client-left": error(
    "the client closed the connection after the certificate",
    "check whether the client trusts the CA",
  ),
  "no-common-version": error(
    "client and listener have no TLS version in common",
    "check the SSL policy and the client",
  ),
  "certificate-unusable": error(
    "certificate and key of the listener do not work",
    "check that the key belongs to the certificate",
  ),
  "client-alert": error("the client refused the handshake with an alert", "check whether the client trusts the CA"),
  "not-tls": error("the client does not speak TLS", "check whether the client uses plain HTTP"),
  "not-a-client-hello": error("the first message is not a ClientHello", "check the client"),
  "record-too-long": error("a record is longer than TLS allows", "check the client"),
  "record-empty": error("a record of the handshake is empty", "check the client"),
  "hello-too-long": error("the ClientHello is longer than the limit of the listener", "check the client"),
  "hello-malformed": error("the ClientHello is not valid", "check the client"),
  "extension-repeated": error("the ClientHello contains an extension twice", "check the client"),
  "no-entry": error("no map entry matches the hostname", "add an entry for the hostname, or a PRIMARY entry"),
  "no-certificate": error("the listener has no certificate for the hostname", "check the certificates of the proxy"),
  "no-accepted-certificate": error(
    "the client accepts no key type of the certificates",
    "add a certificate of another key type",
  ),
  "client-certificate-missing": error(
    "the client presented no certificate, and the listener requires one",
    "configure a client certificate, or change the server TLS policy",
  ),
  "client-certificate-invalid": error(
    "the certificate of the client is not valid",
    "use a certificate that the trust config validates",
  ),
  timeout: error("the client did not finish the handshake in time", "check the client and the network"),
  "handshake-failed": error("client and listener did not agree on a handshake", "read the message of the failure"),
} as const satisfies CodeTable<HandshakeErrorCode>;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof cloudErrors, true>, Record<keyof typeof listenerHandshakeCodes, true> {}
}
