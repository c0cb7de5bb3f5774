import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The calls of a portal by java.net.HttpURLConnection, which knows no PATCH. */
class HttpUrlConnectionClient {
  static String base;

  public static void main(String[] args) throws Exception {
    base = args[0];
    String credentials = "{\"login\":\"" + args[1] + "\",\"password\":\"" + args[2] + "\"}";
    String token = find(call("sign in", "/api/v2/authentication", null, credentials), "token");
    String key = "_AuthenticationKey=" + encode(token);
    call("users", "/api/v2/directory/users?range=0-25&sorter=-lastName&filters=" + encode("login:contains:e"), token, null);
    call("me", "/api/v2/directory/users/me", token, null);
    String categories = call("categories", "/navigation/workplace/categories?" + key, null, null);
    String apps = call("apps", "/navigation/workplace/apps?category=" + encode(find(categories, "id")) + "&" + key, null, null);
    call("indicator", "/navigation/workplace/apps/indicator?applicationUri=" + encode(find(apps, "id")) + "&" + key, null, null);
    String search = "/navigation/search/workplace?query=e&searchName=workplace_searchUsers&searchField=quickSearch&" + key;
    String page = call("search", search, null, null);
    String bottom = encode(find(page, "searchIndexBottom"));
    String top = encode(find(page, "searchIndexTop"));
    call("next page", search + "&searchIndexBottom=" + bottom + "&searchIndexTop=" + top, null, null);
    call("photo", find(page, "PHOTO") + "?" + key, null, null);
  }

  static String call(String name, String path, String token, String body) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) new URL(base + path).openConnection();
    if (token != null) connection.setRequestProperty("X-AUTHENTICATION-KEY", token);
    if (body != null) {
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    int status = connection.getResponseCode();
    InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    byte[] bytes = stream == null ? new byte[0] : stream.readAllBytes();
    System.out.println(String.join("\t", name, String.valueOf(status), String.valueOf(connection.getContentType()), Base64.getEncoder().encodeToString(bytes)));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String find(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
