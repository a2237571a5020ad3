package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.example.certmigration.Certificate;
import com.example.certmigration.DnsPublication;
import com.example.certmigration.IssuedCertificateOptions;
import com.example.certmigration.ManagedCertMigration;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cdktn.cdktn.TerraformStack;
import io.cdktn.cdktn.Testing;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MainTest {
  @Test
  void servesEachHostnameByOneEntry() throws JsonProcessingException {
    String stack = Testing.synth(new Main.ShopStack(Testing.app(), "shop"), true);
    JsonNode entries =
        new ObjectMapper().readTree(stack).at("/resource/google_certificate_manager_certificate_map_entry");
    assertEquals(
        List.of("*.example.net", "example.net", "pay.example.com", "shop.example.com", "www.shop.example.com"),
        entries.findValuesAsText("hostname").stream().sorted().collect(Collectors.toList()));
  }

  @Test
  void reportsAllMistakesAtOnceWithTheirCodes() {
    TerraformStack stack = new TerraformStack(Testing.app(), "prod");
    RuntimeException refused =
        assertThrows(
            RuntimeException.class,
            () ->
                ManagedCertMigration.Builder.create(stack, "shop")
                    .certificates(List.of(certificate("not a name"), certificate()))
                    .dns(DnsPublication.external())
                    .build());
    assertEquals(
        Set.of("certificate-domains-missing", "hostname-bad-character"),
        codesIn(refused.getMessage()));
  }

  private static Certificate certificate(String... domains) {
    return Certificate.managed(IssuedCertificateOptions.builder().domains(List.of(domains)).build());
  }

  /** Returns each code once: the message ends with the stack trace of Node, which repeats the message. */
  private static Set<String> codesIn(String message) {
    return Pattern.compile("(?m)\\[([a-z-]+)\\]$")
        .matcher(message)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }
}
