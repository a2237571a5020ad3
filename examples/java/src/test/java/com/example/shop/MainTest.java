package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.example.certmigration.Certificate;
import com.example.certmigration.DnsPublication;
import com.example.certmigration.IssuedCertificateOptions;
import com.example.certmigration.ManagedCertMigration;
import io.cdktn.cdktn.TerraformStack;
import io.cdktn.cdktn.Testing;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MainTest {
  @Test
  void servesEachHostnameByOneEntry() {
    String stack = Testing.synth(new Main.ShopStack(Testing.app(), "shop"), true);
    assertEquals(
        List.of("*.example.net", "example.net", "pay.example.com", "shop.example.com", "www.shop.example.com"),
        allMatches("\"hostname\": \"([^\"]+)\"", stack));
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
        List.of("certificate-domains-missing", "hostname-bad-character"),
        allMatches("(?m)\\[([a-z-]+)\\]$", refused.getMessage()));
  }

  private static Certificate certificate(String... domains) {
    return Certificate.managed(IssuedCertificateOptions.builder().domains(List.of(domains)).build());
  }

  private static List<String> allMatches(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .sorted()
        .distinct()
        .collect(Collectors.toList());
  }
}
