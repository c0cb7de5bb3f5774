import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The calls of a portal by java.net.http, which asks for HTTP/2 on its first call. */
class JavaNetHttpClient {
  static final HttpClient CLIENT = HttpClient.newHttpClient();
  static String base;

  public static void main(String[] args) throws Exception {
    base = args[0];
    String credentials = "{\"login\":\"" + args[1] + "\",\"password\":\"" + args[2] + "\"}";
    HttpRequest.Builder signIn = to("/api/v2/authentication").header("Content-Type", "application/json").POST(BodyPublishers.ofString(credentials));
    String token = find(send("sign in", signIn), "token");
    String key = "_AuthenticationKey=" + encode(token);
    String users = "/api/v2/directory/users";
    send("users", to(users + "?range=0-25&sorter=-lastName&filters=" + encode("login:contains:e")).header("X-AUTHENTICATION-KEY", token));
    String id = find(send("me", to(users + "/me").header("X-AUTHENTICATION-KEY", token)), "id");
    send("patch", to(users + "/" + id).header("X-AUTHENTICATION-KEY", token)
        .header("Accept", "application/json-patch+json").header("Content-Type", "application/json-patch+json")
        .method("PATCH", BodyPublishers.ofString("[{\"op\":\"replace\",\"path\":\"/nickName\",\"value\":\"" + args[3] + "\"}]")));
    String categories = send("categories", to("/navigation/workplace/categories?" + key));
    String apps = send("apps", to("/navigation/workplace/apps?category=" + encode(find(categories, "id")) + "&" + key));
    send("indicator", to("/navigation/workplace/apps/indicator?applicationUri=" + encode(find(apps, "id")) + "&" + key));
    String search = "/navigation/search/workplace?query=e&searchName=workplace_searchUsers&searchField=quickSearch&" + key;
    String page = send("search", to(search));
    String bottom = encode(find(page, "searchIndexBottom"));
    String top = encode(find(page, "searchIndexTop"));
    send("next page", to(search + "&searchIndexBottom=" + bottom + "&searchIndexTop=" + top));
    send("photo", to(find(page, "PHOTO") + "?" + key));
  }

  static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(base + path));
  }

  static String send(String name, HttpRequest.Builder request) throws Exception {
    HttpResponse<byte[]> response = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
    String type = response.headers().firstValue("Content-Type").orElse("");
    System.out.println(String.join("\t", name, String.valueOf(response.statusCode()), type, Base64.getEncoder().encodeToString(response.body())));
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  static String find(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
