/// Texts as people write them: a word, a few lines, now and then a page; in several scripts; 80 bytes on average.
package struct GeneratedText {
  /// A way of writing: words, and what stands between two of them.
  private struct Script {
    let words: [String]
    let gap: String
    /// Bytes of a word on average, the gap with it.
    let width: Int

    init(_ text: String, gap: String = " ") {
      words = text.split(separator: " ").map(String.init)
      self.gap = gap
      width = max(1, words.reduce(0) { $0 + $1.utf8.count + gap.utf8.count } / words.count)
    }
  }

  private static let scripts = [
    Script(
      """
      the a to and I you it is that in we of on for have not with do this but can be at what so are my just will was \
      out if about know got up now one get all how time here go there see when good tomorrow dinner meeting train \
      backup server weekend ticket coffee birthday haha really maybe later thanks sorry okay yes photo garden keys
      """),
    Script(
      """
      ich und die der das nicht ist ja es wir du ein in zu so auf mit auch was aber für schon noch dann morgen heute \
      Straße Grüße müssen können schön Tür über Käse Zug Bahnhof später genau vielleicht Wochenende bitte danke läuft
      """),
    Script(
      """
      я и не в на что ты это мы как да но так все по у же нет уже завтра сегодня хорошо спасибо привет можно если \
      поезд вечером дома работа фото ключи потом наверное конечно посмотри сервер
      """),
    Script(
      """
      我 你 的 了 是 在 不 今天 明天 晚上 一起 吃饭 火车 会议 谢谢 没有 可以 什么 时候 我们 他们 知道 好的 再见 照片 工作 学校 \
      北京 上海 天气 电话 服务器 备份
      """, gap: ""),
    Script(
      """
      في من على أن إلى هذا هل لا نعم اليوم غدا مساء شكرا مرحبا كيف متى أين البيت العمل القطار صورة الموعد جيد طيب
      """),
    Script(
      """
      そう です ます ね よ 今日 明日 電車 会議 ありがとう すみません たぶん 写真 仕事 学校 東京 天気 サーバー バックアップ また あとで
      """, gap: ""),
  ]
  /// Which script somebody writes, by how many of a hundred do.
  private static let shares = [46, 68, 82, 90, 95, 100]
  private static let endings = ["", "", "", ".", ".", "!", "?", "…", " :)", " 😀", " 👍", " 🎉"]

  private let script: Script

  /// The way in which the person of that number writes.
  package init(person: Int) {
    let share = person * 37 % 100
    script = Self.scripts[Self.shares.firstIndex { share < $0 } ?? 0]
  }

  /// Makes the next text.
  package func next(_ random: inout SeededGenerator) -> String {
    var text = ""
    let bytes = Self.length(&random)
    text.reserveCapacity(bytes + 24)
    while text.utf8.count < bytes {
      if !text.isEmpty { text += random.chance(15) ? "\n" : script.gap }
      text += script.words[random.below(script.words.count)]
    }
    if random.chance(20) { text += " https://example.org/" + String(random.next() >> 24, radix: 36) }
    if random.chance(5) { text += " #" + String(random.next() >> 40) }
    return text + Self.endings[random.below(Self.endings.count)]
  }

  /// Bytes that a text is to have, about: 80 on average, ten at most in a third of all, thousands in few.
  private static func length(_ random: inout SeededGenerator) -> Int {
    switch random.below(1000) {
    case 0..<330: 1 + random.below(18)
    case 330..<850: 15 + random.below(80)
    case 850..<990: 80 + random.below(220)
    case 990..<999: 300 + random.below(900)
    default: 1500 + random.below(3000)
    }
  }
}
