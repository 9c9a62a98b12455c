import Bytes
import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0054VCardTempTests {
  private func card(_ fields: String) throws -> Element {
    try element("<iq type='result' id='1'><vCard xmlns='vcard-temp'>\(fields)</vCard></iq>")
  }

  @Test func theCardIsRequestedOfItsOwner() throws {
    let request = try element(VCardTemp.request(of: JID("juliet@capulet.com"), id: "1"))
    #expect(try request == element("<iq type='get' id='1' to='juliet@capulet.com'><vCard xmlns='vcard-temp'/></iq>"))
    let own = try element(VCardTemp.request(id: "1"))
    #expect(try own == element("<iq type='get' id='1'><vCard xmlns='vcard-temp'/></iq>"))
  }

  @Test func thePhotoIsWhatItsBytesSay() throws {
    let value = Base64.encode(tinyPicture)
    let photo = try VCardTemp.photo(in: card("<PHOTO><TYPE>image/png</TYPE><BINVAL>\n\(value)\n</BINVAL></PHOTO>"))
    #expect(photo == Avatar(tinyPicture) && photo != nil)
    #expect(try VCardTemp.photo(in: card("<PHOTO><EXTVAL>http://x/y</EXTVAL></PHOTO>")) == nil)
    #expect(try VCardTemp.photo(in: card("<PHOTO><BINVAL>AAAA</BINVAL></PHOTO>")) == nil)
    #expect(try VCardTemp.photo(in: element("<iq type='result' id='1'/>")) == nil)
  }

  @Test func theOtherFieldsStay() throws {
    let old = try card("<FN>Ju &amp; Li</FN><PHOTO><BINVAL>AAAA</BINVAL></PHOTO><N><GIVEN>Juliet</GIVEN></N>")
    let without = VCardTemp.set(try #require(VCardTemp.changed(old, photo: nil)), id: "2")
    #expect(
      try element(without)
        == element(
          "<iq type='set' id='2'><vCard xmlns='vcard-temp'><FN>Ju &amp; Li</FN><N><GIVEN>Juliet</GIVEN></N></vCard></iq>"
        ))
    let with = VCardTemp.set(try #require(VCardTemp.changed(old, photo: Avatar(tinyPicture))), id: "2")
    #expect(try VCardTemp.photo(in: element(with)) == Avatar(tinyPicture))
    #expect(String(decoding: with, as: UTF8.self).contains("<TYPE>image/gif</TYPE>"))
    #expect(VCardTemp.changed(nil, photo: nil) == [])
  }

  @Test func propertiesAreRead() throws {
    let iq = try element(
      "<iq type='result' id='1'><vCard xmlns='vcard-temp'><FN>Peter</FN><NICKNAME>stpeter</NICKNAME>"
        + "<EMAIL><INTERNET/><PREF/><USERID>a@b</USERID></EMAIL><TEL><WORK/><NUMBER>303</NUMBER></TEL>"
        + "<ORG><ORGNAME>XSF</ORGNAME><ORGUNIT>Council</ORGUNIT></ORG><ADR><WORK/><STREET>Wynkoop</STREET>"
        + "<CTRY>USA</CTRY></ADR><JABBERID>p@x</JABBERID><DESC>hello</DESC><PHOTO><BINVAL>AAAA</BINVAL></PHOTO></vCard></iq>"
    )
    #expect(
      Profile(legacy: iq)?.values == [
        .fullName: ["Peter"], .nickname: ["stpeter"], .email: ["a@b"], .phone: ["303"],
        .organisation: ["XSF, Council"], .address: ["Wynkoop, USA"], .addressOfXMPP: ["p@x"], .note: ["hello"],
      ])
    #expect(try Profile(legacy: element("<iq type='result' id='1'/>")) == nil)
  }
}
